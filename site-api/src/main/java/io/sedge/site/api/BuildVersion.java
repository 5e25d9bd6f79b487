package io.sedge.site.api;

import org.jspecify.annotations.Nullable;

/**
 * The version and the commit that the build wrote into the manifest of this class's jar: what the
 * command, a device and a center say of themselves.
 */
public final class BuildVersion {
  private BuildVersion() {}

  /** That of this program: {@code 1.2.0 (abc1234)}. */
  public static String ofThis() {
    return text(BuildVersion.class.getPackage().getImplementationVersion());
  }

  /**
   * The version, and the commit if it is known.
   *
   * @param built as the build wrote it; null where classes do not come from a jar
   */
  static String text(@Nullable String built) {
    if (built == null) {
      return "(built from sources)";
    }
    int unknown = built.indexOf(" (${");
    return unknown < 0 ? built : built.substring(0, unknown);
  }
}
