package io.sedge.center.internal.api;

import io.sedge.center.internal.oidc.SingleSignOn;
import java.util.Optional;

/** What the API has made for those who answer. */
record ApiParts(
    Gate gate,
    ApiCounts counts,
    ApiThreads threads,
    PeopleDesk people,
    CenterEvents events,
    Optional<SingleSignOn> signOn) {}
