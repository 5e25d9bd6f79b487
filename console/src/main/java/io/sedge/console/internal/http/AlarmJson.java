package io.sedge.console.internal.http;

import com.fasterxml.jackson.core.JsonGenerator;
import io.sedge.alarm.Alarm;
import io.sedge.alarm.AlarmChange;
import io.sedge.alarm.AlarmCounts;
import io.sedge.alarm.AlarmList;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Alarms as the page reads them. */
public final class AlarmJson {
  private AlarmJson() {}

  public static Json.Value list(AlarmList list) {
    return json -> {
      json.writeStartObject();
      json.writeNumberField("atMillis", list.atMillis());
      json.writeFieldName("counts");
      counts(list.counts()).write(json);
      json.writeArrayFieldStart("alarms");
      for (Alarm alarm : list.alarms()) {
        write(alarm, json);
      }
      json.writeEndArray();
      json.writeEndObject();
    };
  }

  public static Json.Value counts(AlarmCounts counts) {
    return json -> {
      json.writeStartObject();
      json.writeNumberField("changes", counts.changes());
      json.writeNumberField("attention", counts.attention());
      json.writeNumberField("active", counts.active());
      json.writeNumberField("shelved", counts.shelved());
      json.writeNumberField("raisedInTenMinutes", counts.raisedInTenMinutes());
      json.writeBooleanField("flood", counts.flood());
      json.writeNumberField("floods", counts.floods());
      json.writeNumberField("raised", counts.raised());
      json.writeNumberField("refused", counts.refused());
      json.writeEndObject();
    };
  }

  /** What has happened to one. */
  public static Json.Value history(List<AlarmChange> history) {
    return json -> {
      json.writeStartObject();
      json.writeArrayFieldStart("changes");
      for (AlarmChange change : history) {
        write(change, json);
      }
      json.writeEndArray();
      json.writeEndObject();
    };
  }

  /**
   * The number of an alarm in a path.
   *
   * @throws Refusal MALFORMED
   */
  public static long id(Call call) throws Refusal {
    try {
      return Long.parseLong(call.path("id"));
    } catch (NumberFormatException e) {
      throw new Refusal(Refusal.Reason.MALFORMED, "an alarm is named by its number");
    }
  }

  private static void write(Alarm alarm, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeNumberField("id", alarm.id());
    json.writeStringField("job", alarm.job());
    json.writeStringField("table", alarm.table());
    json.writeStringField("priority", name(alarm.priority()));
    json.writeStringField("key", alarm.key());
    json.writeStringField("state", name(alarm.state()));
    json.writeNumberField("raised", alarm.raised());
    json.writeNumberField("raisedAtMillis", alarm.raisedAtMillis());
    json.writeNumberField("changedAtMillis", alarm.changedAtMillis());
    value(alarm.value(), json);
    text("message", alarm.message(), json);
    if (alarm.shelvedUntilMillis() != 0) {
      json.writeNumberField("shelvedUntilMillis", alarm.shelvedUntilMillis());
    }
    text("by", alarm.by(), json);
    text("note", alarm.note(), json);
    json.writeEndObject();
  }

  private static void write(AlarmChange change, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeNumberField("number", change.number());
    json.writeNumberField("atMillis", change.atMillis());
    json.writeStringField("event", name(change.event()));
    json.writeStringField("state", name(change.state()));
    value(change.value(), json);
    text("message", change.message(), json);
    text("by", change.by(), json);
    text("note", change.note(), json);
    json.writeEndObject();
  }

  /** JSON has no numbers that are not finite. */
  private static void value(@Nullable Double value, JsonGenerator json) throws IOException {
    if (value != null && Double.isFinite(value)) {
      json.writeNumberField("value", value);
    }
  }

  private static void text(String field, String text, JsonGenerator json) throws IOException {
    if (!text.isEmpty()) {
      json.writeStringField(field, text);
    }
  }

  private static String name(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }
}
