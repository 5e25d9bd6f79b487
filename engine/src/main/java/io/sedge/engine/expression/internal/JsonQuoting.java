package io.sedge.engine.expression.internal;

import org.jspecify.annotations.Nullable;

/** Strings as JSON writes them. */
final class JsonQuoting {
  private static final int FIRST_PLAIN = 0x20;
  private static final int LAST_ASCII = 0x7e;

  private JsonQuoting() {}

  static String quote(String string) {
    StringBuilder result = new StringBuilder("\"");
    for (int i = 0; i < string.length(); i++) {
      char c = string.charAt(i);
      switch (c) {
        case '"' -> result.append("\\\"");
        case '\\' -> result.append("\\\\");
        case '/' -> result.append("\\/");
        case '\b' -> result.append("\\b");
        case '\f' -> result.append("\\f");
        case '\n' -> result.append("\\n");
        case '\r' -> result.append("\\r");
        case '\t' -> result.append("\\t");
        default -> {
          if (c < FIRST_PLAIN || c > LAST_ASCII) {
            result.append("\\u%04x".formatted((int) c));
          } else {
            result.append(c);
          }
        }
      }
    }
    return result.append('"').toString();
  }

  /** The string that a JSON string stands for; what is none stays as it is. */
  static @Nullable Object unquote(String json) {
    if (json.length() < 2 || !json.startsWith("\"") || !json.endsWith("\"")) {
      return json;
    }
    try {
      return JsonReader.read(json) instanceof String string ? string : json;
    } catch (JsonReader.MalformedException malformed) {
      return json;
    }
  }
}
