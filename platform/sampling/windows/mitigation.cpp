#include "platform/sampling/windows/mitigation.h"

#include "platform/system/windows/library_function.h"

namespace faultline {
namespace {

struct Renounced {
  PROCESS_MITIGATION_POLICY policy;
  DWORD flags;  // the policy structure is one DWORD of flags
};

constexpr Renounced kRenounced[]{
    {ProcessChildProcessPolicy, 1},           // NoChildProcessCreation
    {ProcessDynamicCodePolicy, 1},            // ProhibitDynamicCode
    {ProcessExtensionPointDisablePolicy, 1},  // DisableExtensionPoints
    {ProcessImageLoadPolicy, 1 | 2},          // NoRemoteImages, NoLowMandatoryLabelImages
};

}  // namespace

void applyMitigations() {
  using SetPolicy = BOOL WINAPI(PROCESS_MITIGATION_POLICY, void*, SIZE_T);
  auto* const setPolicy = libraryFunction<SetPolicy>(L"kernel32", "SetProcessMitigationPolicy");
  if (setPolicy == nullptr) return;
  for (Renounced one : kRenounced) setPolicy(one.policy, &one.flags, sizeof(one.flags));
}

}  // namespace faultline
