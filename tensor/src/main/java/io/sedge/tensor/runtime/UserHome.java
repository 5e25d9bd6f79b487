package io.sedge.tensor.runtime;

import java.util.ArrayList;
import java.util.List;

/**
 * Where a process that this one starts finds the user's files, TensorFlow's unpacked library above
 * all. In a network of its own a user seems to be root, and a JVM would look at root's.
 */
final class UserHome {
  private static final List<String> PROPERTIES =
      List.of("user.home", "user.name", "org.bytedeco.javacpp.cachedir");

  private UserHome() {}

  /** Arguments of a JVM that make it see what this one sees. */
  static List<String> arguments() {
    List<String> arguments = new ArrayList<>();
    for (String property : PROPERTIES) {
      String value = System.getProperty(property);
      if (value != null) {
        arguments.add("-D" + property + "=" + value);
      }
    }
    return arguments;
  }
}
