package io.sedge.connector.opcua.internal;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * How a connection is secured.
 *
 * @param encrypts whether messages are encrypted too, not only signed
 * @param fingerprints of certificates that are trusted, in lower case
 * @param directory of certificates that are trusted
 */
record SecuritySettings(
    Policy policy, boolean encrypts, List<String> fingerprints, Optional<Path> directory) {
  SecuritySettings {
    fingerprints = List.copyOf(fingerprints);
  }
}
