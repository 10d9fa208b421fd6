// CloseUp: where the view of a recording is shorter than an hour, reads every snapshot there, in short slices of the
// event loop. The monitor on show has only averages of it while the rest is being read, and minutes of what is older
// than an hour.
#pragma once

#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>
#include <optional>

#include "app/tray/session/session.h"
#include "app/tray/time/view.h"
#include "core/recording/key_index.h"
#include "core/recording/recording.h"

namespace faultline {

struct ShownRecording {
  std::function<QString()> file;  // its path; empty: none is shown
  std::function<const Monitor&()> monitor;
  std::function<std::optional<Nanoseconds>()> averages;  // as Session has them
  std::function<Nanoseconds()> shift;                    // from its time to that of the view
  std::function<void(std::unique_ptr<History::CloseUp>)> lay;
};

class CloseUp : public QObject {
  Q_OBJECT
 public:
  CloseUp(Session& session, const TimeView& view);  // of what the session shows
  CloseUp(ShownRecording shown, const TimeView& view);

  void look();  // after each change of what is shown; changes of the view are seen anyway

 private:
  struct Range {
    MonotonicTime from;
    MonotonicTime to;

    [[nodiscard]] bool holds(const Range& other) const { return from <= other.from && other.to <= to; }
  };

  [[nodiscard]] std::optional<Range> wanted() const;
  void begin();
  void readSlice();
  void seek();
  void readNext();
  void end();
  void forget();
  [[nodiscard]] bool has(const Range& range) const;

  ShownRecording m_shown;
  const TimeView& m_view;
  QString m_file;
  std::optional<KeyIndex> m_index;  // of that file
  bool m_indexed = false;           // to its end
  std::optional<RecordingFile> m_reader;
  std::optional<Range> m_range;     // is being read, or has been
  std::optional<Monitor> m_filled;  // being read, from the key snapshot before the range
  bool m_readsHello = false;
  std::uint64_t m_place = 0;  // of that snapshot in the file
  MonotonicTime m_newest;     // of the data
  QTimer m_rested;            // the view has not moved since
  QTimer m_slice;
};

}  // namespace faultline
