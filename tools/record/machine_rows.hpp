// What recording and converting need of this machine, for `assay doctor`.
#pragma once

namespace assay {

class MachineReport;

void describe_machine(MachineReport& to);

}  // namespace assay
