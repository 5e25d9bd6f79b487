package io.sedge.tensor.resolver;

import java.util.List;

/** Lists the devices that TensorFlow sees, which needs its native library. */
@FunctionalInterface
public interface DeviceLister {
  /**
   * The names of the visible devices, for example {@code
   * /job:worker/replica:0/task:0/device:GPU:0}.
   *
   * @throws io.sedge.tensor.ClusterResolutionException if they cannot be listed
   */
  List<String> deviceNames();
}
