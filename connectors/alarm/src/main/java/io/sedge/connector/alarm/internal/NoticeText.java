package io.sedge.connector.alarm.internal;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.sedge.alarm.AlarmChange;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Locale;

/** Notices as text for people and as JSON for programs. */
final class NoticeText {
  private static final JsonFactory JSON = new JsonFactory();

  /** Mail servers cut longer subjects, and telephones show less. */
  private static final int MAX_SUBJECT = 120;

  private NoticeText() {}

  /** What happened, on one line that has no control characters. */
  static String line(AlarmChange change) {
    StringBuilder line = new StringBuilder(change.key());
    if (change.value() != null) {
      line.append(" = ").append(change.value());
    }
    if (!change.message().isEmpty()) {
      line.append(": ").append(change.message());
    }
    return plain(line.toString());
  }

  /** Nothing that ends a line, a header, or moves a cursor. */
  private static String plain(String text) {
    return text.codePoints()
        .map(point -> Character.isISOControl(point) || isSeparator(point) ? ' ' : point)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private static boolean isSeparator(int point) {
    return switch (Character.getType(point)) {
      case Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR, Character.FORMAT -> true;
      default -> false;
    };
  }

  static String subject(Notice notice) {
    int count = notice.changes().size() + notice.more();
    String what = count == 1 ? line(notice.changes().getFirst()) : count + " changes of alarms";
    String subject =
        "[sedge] %s %s: %s"
            .formatted(notice.priority().name().toLowerCase(Locale.ROOT), notice.table(), what);
    return subject.length() > MAX_SUBJECT ? subject.substring(0, MAX_SUBJECT - 1) + "…" : subject;
  }

  static String body(Notice notice) {
    StringBuilder body = new StringBuilder();
    for (AlarmChange change : notice.changes()) {
      body.append(Instant.ofEpochMilli(change.atMillis()))
          .append("  ")
          .append(name(change))
          .append("  alarm ")
          .append(change.id())
          .append("  ")
          .append(line(change))
          .append('\n');
    }
    if (notice.more() > 0) {
      body.append("and ").append(notice.more()).append(" more\n");
    }
    if (notice.forgotten() > 0) {
      body.append(notice.forgotten()).append(" earlier changes are not kept any more\n");
    }
    return body.append('\n').append(notice.id()).append('\n').toString();
  }

  private static String name(AlarmChange change) {
    return change.event().name().toLowerCase(Locale.ROOT);
  }

  static String json(Notice notice) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      json.writeStringField("id", notice.id());
      json.writeStringField("table", notice.table());
      json.writeStringField("priority", notice.priority().name().toLowerCase(Locale.ROOT));
      json.writeArrayFieldStart("changes");
      for (AlarmChange change : notice.changes()) {
        write(change, json);
      }
      json.writeEndArray();
      json.writeNumberField("more", notice.more());
      json.writeNumberField("forgotten", notice.forgotten());
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
    return text.toString();
  }

  private static void write(AlarmChange change, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeNumberField("number", change.number());
    json.writeNumberField("alarm", change.id());
    json.writeStringField("key", change.key());
    json.writeNumberField("atMillis", change.atMillis());
    json.writeStringField("event", name(change));
    json.writeStringField("state", change.state().name().toLowerCase(Locale.ROOT));
    Double value = change.value();
    if (value != null && Double.isFinite(value)) {
      json.writeNumberField("value", value);
    }
    if (!change.message().isEmpty()) {
      json.writeStringField("message", change.message());
    }
    json.writeEndObject();
  }
}
