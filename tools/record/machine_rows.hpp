// Requirements of recording and converting, for `assay doctor`.
#pragma once

namespace assay {

class MachineReport;

void describe_machine(MachineReport& to);

}  // namespace assay
