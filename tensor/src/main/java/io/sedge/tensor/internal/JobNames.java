package io.sedge.tensor.internal;

import java.util.regex.Pattern;

/**
 * Job names as TensorFlow's device names allow them. TensorFlow does not check them where they are
 * given; its servers abort the process when they make a device name of a wrong one.
 */
public final class JobNames {
  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_]*");

  private JobNames() {}

  /**
   * Returns the name.
   *
   * @throws IllegalArgumentException if a device name cannot hold it
   */
  public static String check(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "Job name '"
              + name
              + "' is not a letter followed by letters, digits or underscores, which is all that"
              + " TensorFlow's device names can hold");
    }
    return name;
  }
}
