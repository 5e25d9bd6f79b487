package io.sedge.cli.internal;

import io.sedge.cli.Main;
import picocli.CommandLine.IVersionProvider;

/** The version that the build wrote into the manifest. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    String version = Main.class.getPackage().getImplementationVersion();
    return new String[] {
      "sedge " + (version == null ? "(built from sources)" : version),
      "Java %s (%s)"
          .formatted(System.getProperty("java.vm.version"), System.getProperty("java.vm.vendor"))
    };
  }
}
