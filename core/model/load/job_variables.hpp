// Environment variables that state the place of a process in a job; besides those that select devices, the only ones
// read from a profile.
#pragma once

#include <string_view>

namespace assay::load {

inline constexpr std::string_view kJobVariables[] = {"RANK",
                                                     "WORLD_SIZE",
                                                     "LOCAL_RANK",
                                                     "LOCAL_WORLD_SIZE",
                                                     "GROUP_RANK",
                                                     "MASTER_ADDR",
                                                     "MASTER_PORT",
                                                     "OMPI_COMM_WORLD_RANK",
                                                     "OMPI_COMM_WORLD_SIZE",
                                                     "SLURM_PROCID",
                                                     "SLURM_NTASKS",
                                                     "SLURM_JOB_ID",
                                                     "SLURM_NODEID",
                                                     "PMI_RANK",
                                                     "PMI_SIZE",
                                                     "SLURMD_NODENAME"};

}  // namespace assay::load
