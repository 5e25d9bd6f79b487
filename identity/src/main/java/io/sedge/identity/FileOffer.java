package io.sedge.identity;

import static java.util.Objects.requireNonNull;

/**
 * A file of a job that is about to be submitted.
 *
 * @param path as the script has it
 * @param sha256 of what it holds, in hexadecimal digits
 * @param bytes how many it has
 */
public record FileOffer(String path, String sha256, long bytes) {
  public FileOffer {
    requireNonNull(path, "no path");
    requireNonNull(sha256, "no hash");
  }
}
