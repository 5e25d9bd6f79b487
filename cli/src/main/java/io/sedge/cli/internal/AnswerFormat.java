package io.sedge.cli.internal;

/** The forms of answers; the names are what the user writes. */
enum AnswerFormat {
  text,
  json
}
