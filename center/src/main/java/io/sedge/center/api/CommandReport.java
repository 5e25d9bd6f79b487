package io.sedge.center.api;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A command to a table of a job of a site.
 *
 * @param number of the site's orders
 * @param values by column
 * @param state {@code queued}, {@code sent}, {@code unknown}, {@code accepted}, {@code written},
 *     {@code confirmed}, {@code refused}, {@code failed}, {@code expired} or {@code cancelled}
 * @param detail why; absent if there is nothing to say
 * @param ended whether nothing follows
 */
public record CommandReport(
    String id,
    String site,
    long number,
    String job,
    String table,
    Map<String, String> values,
    String givenBy,
    long givenAtMillis,
    @Nullable Long expiresAtMillis,
    String state,
    @Nullable String detail,
    long stateAtMillis,
    boolean ended) {}
