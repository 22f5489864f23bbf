// The MuJoCo that has loaded us: its functions, found by name in the library that is there. We link none, so that a
// host's own copy is the one that we talk to.
#pragma once

#include <mujoco/mujoco.h>

// Exported by the library, not declared in its header.
extern "C" {
void mj_tendonBias(const mjModel* m, mjData* d, mjtNum* qfrc);
void mjd_smooth_vel(const mjModel* m, mjData* d, int flg_bias);
mjtNum mjd_xPolyForce(mjtNum linear, const mjtNum* poly, mjtNum x, int n, int flg_deriv);
mjtNum mj_actuatorDamping(const mjModel* m, mjtObj type, int id, mjtNum* poly);
}

namespace footfall {

#define FOOTFALL_HOST_FUNCTIONS(F)                                                                 \
  F(mj_version)                                                                                    \
  F(mjp_defaultPlugin)                                                                             \
  F(mjp_registerPlugin)                                                                            \
  F(mj_getPluginConfig)                                                                            \
  F(mj_name2id)                                                                                    \
  F(mj_id2name)                                                                                    \
  F(mju_type2Str)                                                                                  \
  F(mju_warning)                                                                                   \
  F(mj_rne)                                                                                        \
  F(mj_tendonBias)                                                                                 \
  F(mj_fwdActuation)                                                                               \
  F(mj_applyFT)                                                                                    \
  F(mj_objectVelocity)                                                                             \
  F(mj_referenceConstraint)                                                                        \
  F(mj_isSparse)                                                                                   \
  F(mjd_smooth_vel)                                                                                \
  F(mjd_xPolyForce)                                                                                \
  F(mj_actuatorDamping)                                                                            \
  F(mjv_initGeom)                                                                                  \
  F(mjv_connector)

struct Host {
#define FOOTFALL_HOST_FIELD(name) decltype(&::name) name = nullptr;
  FOOTFALL_HOST_FUNCTIONS(FOOTFALL_HOST_FIELD)
#undef FOOTFALL_HOST_FIELD
};

// The host's functions; all of them are there once find_host() has returned true.
extern Host host;

// Finds them; false, with a line on stderr: there is no MuJoCo in this process, or not the version of our headers.
bool find_host();

}  // namespace footfall
