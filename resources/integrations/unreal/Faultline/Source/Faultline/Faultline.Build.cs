// SPDX-License-Identifier: MIT-0
using UnrealBuildTool;

public class Faultline : ModuleRules {
  public Faultline(ReadOnlyTargetRules Target) : base(Target) {
    PCHUsage = PCHUsageMode.UseExplicitOrSharedPCHs;
    PrivateDependencyModuleNames.Add("Core");
  }
}
