package io.sedge.cli.internal;

import io.sedge.site.api.BuildVersion;
import picocli.CommandLine.IVersionProvider;

/** What {@code sedge --version} says. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {
      "sedge " + BuildVersion.ofThis(),
      "Java %s (%s)"
          .formatted(System.getProperty("java.vm.version"), System.getProperty("java.vm.vendor"))
    };
  }
}
