//===- FuseOps.td - All graph ops -------------------------*- tablegen -*-===//

#ifndef FUSE_IR_FUSEOPS_TD
#define FUSE_IR_FUSEOPS_TD

include "fuse/ir/FuseCoreOps.td"
include "fuse/ir/FuseIndexOps.td"
include "fuse/ir/FuseCompositeOps.td"
include "fuse/ir/FuseCheckOps.td"
include "fuse/ir/FuseLaunchOps.td"

#endif // FUSE_IR_FUSEOPS_TD
