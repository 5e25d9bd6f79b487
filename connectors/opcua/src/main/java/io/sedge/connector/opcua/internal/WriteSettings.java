package io.sedge.connector.opcua.internal;

import java.time.Duration;
import java.util.Optional;

/**
 * How commands are written.
 *
 * @param readBack whether what was written is read
 * @param maxAge how old a command may be
 */
record WriteSettings(LinkSettings link, boolean readBack, Optional<Duration> maxAge) {}
