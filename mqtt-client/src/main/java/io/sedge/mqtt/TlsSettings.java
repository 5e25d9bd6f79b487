package io.sedge.mqtt;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * PEM files for TLS, as they stand in the options.
 *
 * @param authorities that may vouch for the broker, or null for those of the JDK
 * @param certificate chain of this client, or null for none
 * @param key of the certificate, or null for none
 */
public record TlsSettings(
    @Nullable Path authorities, @Nullable Path certificate, @Nullable Path key) {}
