package io.sedge.cli.internal.output;

/** The forms of output; the names are what the user writes. */
public enum OutputFormat {
  auto,
  table,
  plain,
  json
}
