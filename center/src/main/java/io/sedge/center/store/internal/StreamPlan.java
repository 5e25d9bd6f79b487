package io.sedge.center.store.internal;

import io.sedge.engine.type.Schema;

/** Whose rows a stream has, where they go and what they look like. */
record StreamPlan(long id, String site, String job, String table, Schema schema) {}
