package io.sedge.cli.internal;

import io.sedge.cli.Main;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IVersionProvider;

/** The version and the commit that the build wrote into the manifest. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {
      "sedge " + ofThis(),
      "Java %s (%s)"
          .formatted(System.getProperty("java.vm.version"), System.getProperty("java.vm.vendor"))
    };
  }

  /** That of this program. */
  static String ofThis() {
    return text(Main.class.getPackage().getImplementationVersion());
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
