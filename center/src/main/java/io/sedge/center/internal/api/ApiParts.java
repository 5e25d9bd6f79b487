package io.sedge.center.internal.api;

/** What the API has made for those who answer. */
record ApiParts(
    Gate gate, ApiCounts counts, ApiThreads threads, PeopleDesk people, CenterEvents events) {}
