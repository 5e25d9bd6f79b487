package io.sedge.center.store;

import io.sedge.uplink.OrderState;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * An order as the center knows it.
 *
 * @param number of the site's orders; may change until the site has it, where numbers went back
 * @param givenBy a person or a program
 * @param expiresAt when it is not to be done any more, by the center's clock; empty if it does not
 *     end
 * @param detail why it is in its state; may be empty
 * @param stateAt since when; of what a site says, by the center's clock when it heard it
 */
@SuppressWarnings("ArrayRecordComponent") // Handed on, never compared.
public record GivenOrder(
    UUID id,
    String site,
    long number,
    String kind,
    byte[] body,
    String givenBy,
    Instant givenAt,
    Optional<Instant> expiresAt,
    OrderState state,
    String detail,
    Instant stateAt) {}
