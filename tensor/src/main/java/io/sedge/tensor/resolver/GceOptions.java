package io.sedge.tensor.resolver;

import io.sedge.tensor.internal.Addresses;
import java.net.URI;
import java.util.regex.Pattern;

/**
 * Which instances of Google Compute Engine a {@link GceClusterResolver} takes for tasks. Immutable.
 *
 * @param project the project's id
 * @param zone the zone, for example {@code us-east1-d}
 * @param instanceGroup the name of the group whose running instances are the tasks
 * @param port the port of every task
 * @param computeApi where the Compute Engine API is, ending with a slash
 * @param metadata where the metadata server is, which gives the access token, ending with a slash
 */
public record GceOptions(
    String project, String zone, String instanceGroup, int port, URI computeApi, URI metadata) {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:-]*");

  /** Checks names and port. */
  public GceOptions {
    checkName("project", project);
    checkName("zone", zone);
    checkName("instance group", instanceGroup);
    Addresses.checkPort(port, "Port");
  }

  /** A group of instances, asked for at Google's own addresses. */
  public static GceOptions of(String project, String zone, String instanceGroup, int port) {
    return new GceOptions(
        project,
        zone,
        instanceGroup,
        port,
        URI.create("https://compute.googleapis.com/compute/v1/"),
        URI.create("http://metadata.google.internal/"));
  }

  /** These options with other addresses of the services. */
  public GceOptions withServices(URI otherComputeApi, URI otherMetadata) {
    return new GceOptions(project, zone, instanceGroup, port, otherComputeApi, otherMetadata);
  }

  private static void checkName(String what, String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "The name '" + name + "' of the " + what + " is not letters, digits, '.', '_', ':', '-'");
    }
  }
}
