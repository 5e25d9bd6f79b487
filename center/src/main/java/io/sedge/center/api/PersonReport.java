package io.sedge.center.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who may log in.
 *
 * @param role {@code viewer}, {@code operator}, {@code engineer} or {@code admin}
 * @param sites at which something may be changed; absent for all
 * @param lastSeenMillis to a minute; absent for never
 * @param linkEndsMillis until when a link may be used to set a password; absent if there is none
 * @param provider where the person logs in; absent for a password
 * @param shutOut whether an admin has removed the person, who is known to the provider still; a
 *     second removal forgets the person
 * @param locked whether so many wrong passwords came that the name may be used from known addresses
 *     alone
 */
public record PersonReport(
    String name,
    String role,
    @Nullable List<String> sites,
    long createdMillis,
    @Nullable Long lastSeenMillis,
    @Nullable Long linkEndsMillis,
    @Nullable String provider,
    boolean shutOut,
    boolean locked) {}
