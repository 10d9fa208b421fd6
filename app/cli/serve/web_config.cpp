#include "app/cli/serve/web_config.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <yaml.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <set>

#include "core/base/file_name.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

tl::unexpected<Error> failAt(std::size_t line, std::string_view why) {
  return fail(fmt::format("line {}: {}", line, why));
}

struct Entry {
  std::string key;
  std::size_t line;  // of the key, from 1
  const yaml_node_t* value;
};

class Document {
 public:
  Document() { yaml_parser_initialize(m_parser.get()); }

  Result<void> load(std::string_view yaml) {
    yaml_parser_set_input_string(m_parser.get(), reinterpret_cast<const unsigned char*>(yaml.data()), yaml.size());
    if (!next(m_document)) return damaged();
    if (root() == nullptr) return {};  // empty
    Tree second(new yaml_document_t{}, freeTree);
    if (!next(second)) return damaged();
    if (const yaml_node_t* const more = yaml_document_get_root_node(second.get()); more != nullptr)
      return failAt(more->start_mark.line + 1, "A second document begins. The file has one.");
    return {};
  }
  [[nodiscard]] const yaml_node_t* root() const { return yaml_document_get_root_node(m_document.get()); }

  [[nodiscard]] Result<std::string> text(const Entry& entry) const {
    const yaml_node_t& node = *entry.value;
    const bool text = node.type == YAML_SCALAR_NODE && std::string_view(asChars(node.tag)) == YAML_STR_TAG;
    std::string value = text ? textOf(node) : "";
    const bool plain = text && node.data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    const bool null = plain && (value == "~" || value == "null" || value == "Null" || value == "NULL");
    if (value.empty() || null || value.find('\0') != std::string::npos)
      return failAt(entry.line, fmt::format("{} needs a text.", printableName(entry.key)));
    return value;
  }
  // `name`: of the map, for errors.
  [[nodiscard]] Result<std::vector<Entry>> entries(const yaml_node_t& map, std::string_view name) const {
    if (map.type != YAML_MAPPING_NODE)
      return failAt(map.start_mark.line + 1, fmt::format("{} needs keys with values.", name));
    std::vector<Entry> all;
    std::set<std::string> seen;
    for (const auto* pair = map.data.mapping.pairs.start; pair != map.data.mapping.pairs.top; ++pair) {
      const yaml_node_t& key = *at(pair->key);
      const std::size_t line = key.start_mark.line + 1;
      if (key.type != YAML_SCALAR_NODE) return failAt(line, fmt::format("A key of {} is no text.", name));
      all.push_back({textOf(key), line, at(pair->value)});
      if (!seen.insert(all.back().key).second)
        return failAt(line, fmt::format("{} stands twice in {}.", printableName(all.back().key), name));
    }
    return all;
  }

 private:
  using Tree = std::unique_ptr<yaml_document_t, void (*)(yaml_document_t*)>;

  static void freeTree(yaml_document_t* tree) {
    yaml_document_delete(tree);
    delete tree;
  }
  static const char* asChars(const yaml_char_t* text) { return reinterpret_cast<const char*>(text); }
  static std::string textOf(const yaml_node_t& scalar) {
    return {asChars(scalar.data.scalar.value), scalar.data.scalar.length};
  }
  bool next(const Tree& tree) { return yaml_parser_load(m_parser.get(), tree.get()) != 0; }
  [[nodiscard]] const yaml_node_t* at(int index) const { return yaml_document_get_node(m_document.get(), index); }
  [[nodiscard]] Result<void> damaged() const {
    const bool placed = m_parser->error != YAML_READER_ERROR && m_parser->error != YAML_MEMORY_ERROR;
    const std::string why =
        fmt::format("This is no YAML: {}.", m_parser->problem == nullptr ? "damaged" : m_parser->problem);
    return placed ? failAt(m_parser->problem_mark.line + 1, why) : failAt(m_parser->mark.line + 1, why);
  }

  std::unique_ptr<yaml_parser_t, void (*)(yaml_parser_t*)> m_parser{new yaml_parser_t{}, [](yaml_parser_t* parser) {
                                                                      yaml_parser_delete(parser);
                                                                      delete parser;
                                                                    }};
  Tree m_document{new yaml_document_t{}, freeTree};
};

struct Key {
  std::string_view name;
  std::function<Result<void>(const Entry&)> take;
};

Result<void> readKeys(const Document& document, const yaml_node_t& map, std::string_view name,
                      const std::vector<Key>& keys) {
  const auto entries = document.entries(map, name);
  if (!entries) return tl::unexpected(entries.error());
  for (const Entry& entry : *entries) {
    const auto found = std::ranges::find(keys, entry.key, &Key::name);
    if (found == keys.end()) {
      std::vector<std::string_view> names;
      names.reserve(keys.size());
      for (const Key& key : keys) names.push_back(key.name);
      return failAt(entry.line, fmt::format("Faultline does not support {} in {}, only {}.", printableName(entry.key),
                                            name, fmt::join(names, ", ")));
    }
    if (auto taken = found->take(entry); !taken) return taken;
  }
  return {};
}

// Two words, of which the second sets `second`.
Key choice(const Document& document, std::string_view name, std::string_view usual, std::string_view other,
           bool& second) {
  return {name, [&document, usual, other, &second](const Entry& entry) -> Result<void> {
            const auto word = document.text(entry);
            if (!word) return tl::unexpected(word.error());
            if (*word != usual && *word != other)
              return failAt(entry.line, fmt::format("Faultline does not support {} {}, only {} and {}.", entry.key,
                                                    printableName(*word), usual, other));
            second = *word == other;
            return {};
          }};
}

Result<TlsFiles> readTls(const Document& document, const Entry& tls, const std::filesystem::path& folder) {
  TlsFiles files;
  bool verified = false;
  const auto path = [&](std::string_view name, std::filesystem::path& to) {
    return Key{name, [&document, &folder, &to](const Entry& entry) -> Result<void> {
                 const auto text = document.text(entry);
                 if (!text) return tl::unexpected(text.error());
                 to = folder / pathFromUtf8(*text);
                 return {};
               }};
  };
  const auto read = readKeys(
      document, *tls.value, tls.key,
      {path("cert_file", files.certificate), path("key_file", files.key),
       choice(document, "client_auth_type", "NoClientCert", "RequireAndVerifyClientCert", verified),
       path("client_ca_file", files.clientCa), choice(document, "min_version", "TLS12", "TLS13", files.newest)});
  if (!read) return tl::unexpected(read.error());
  if (files.certificate.empty() || files.key.empty())
    return failAt(tls.line, "tls_server_config needs cert_file and key_file.");
  if (verified == files.clientCa.empty())
    return failAt(tls.line, "client_ca_file and client_auth_type: RequireAndVerifyClientCert need each other.");
  return files;
}

bool isBcrypt(std::string_view hash) {
  constexpr std::string_view kLetters = "./ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  constexpr std::size_t kStart = 7;  // "$2b$10$"
  const bool kind = hash.starts_with("$2a$") || hash.starts_with("$2b$") || hash.starts_with("$2y$");
  return kind && hash.size() == 60 && hash[6] == '$' &&
         hash.substr(4, 2).find_first_not_of("0123456789") == hash.npos &&
         hash.substr(kStart).find_first_not_of(kLetters) == hash.npos;
}

Result<std::vector<WebUser>> readUsers(const Document& document, const Entry& users) {
  const auto entries = document.entries(*users.value, users.key);
  if (!entries) return tl::unexpected(entries.error());
  if (entries->empty()) return failAt(users.line, "basic_auth_users names nobody.");
  std::vector<WebUser> all;
  for (const Entry& entry : *entries) {
    const std::string name = printableName(entry.key);
    if (entry.key.empty() || entry.key.find_first_of(std::string_view(":\0", 2)) != std::string::npos)
      return failAt(entry.line, fmt::format("\"{}\" cannot be the name of a user.", name));
    auto hash = document.text(entry);
    if (!hash) return tl::unexpected(hash.error());
    if (!isBcrypt(*hash))
      return failAt(entry.line, fmt::format("The password of {} is no bcrypt hash, as htpasswd -nB prints.", name));
    const unsigned cost = static_cast<unsigned>((*hash)[4] - '0') * 10 + static_cast<unsigned>((*hash)[5] - '0');
    if (cost < 4 || cost > kMostBcryptCost)
      return failAt(entry.line, fmt::format("The hash of {} has cost {}. Faultline supports 4 to {}.", name, cost,
                                            kMostBcryptCost));
    all.push_back({entry.key, std::move(*hash)});
  }
  return all;
}

}  // namespace

Result<WebConfig> parseWebConfig(std::string_view yaml, const std::filesystem::path& folder) {
  Document document;
  if (const auto loaded = document.load(yaml); !loaded) return tl::unexpected(loaded.error());
  WebConfig config;
  if (document.root() == nullptr) return config;
  const auto keep = [](auto& to, auto read) -> Result<void> {
    if (!read) return tl::unexpected(read.error());
    to = std::move(*read);
    return {};
  };
  const auto read = readKeys(
      document, *document.root(), "the file",
      {{"tls_server_config", [&](const Entry& entry) { return keep(config.tls, readTls(document, entry, folder)); }},
       {"basic_auth_users", [&](const Entry& entry) { return keep(config.users, readUsers(document, entry)); }}});
  if (!read) return tl::unexpected(read.error());
  return config;
}

}  // namespace faultline
