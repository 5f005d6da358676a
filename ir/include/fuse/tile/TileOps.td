//===- TileOps.td - All ops on tiles -----------------------*- tablegen -*-===//

#ifndef FUSE_TILE_TILEOPS_TD
#define FUSE_TILE_TILEOPS_TD

include "fuse/tile/TileKernelOps.td"
include "fuse/tile/TileMemoryOps.td"
include "fuse/tile/TileValueOps.td"

#endif // FUSE_TILE_TILEOPS_TD
