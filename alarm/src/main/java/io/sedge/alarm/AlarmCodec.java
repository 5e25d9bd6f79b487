package io.sedge.alarm;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of alarms: a version (1), then the fields of each record in their order. Numbers are
 * big-endian, texts as {@link DataOutputStream#writeUTF} writes them, enums by their code (1),
 * lists and maps with their count (4) before them; a value has a byte before it that says whether
 * it is there.
 */
final class AlarmCodec {
  private static final int VERSION = 1;

  private AlarmCodec() {}

  interface Writer {
    void write(DataOutputStream output) throws IOException;
  }

  interface Reader<T> {
    T read(DataInputStream input) throws IOException;
  }

  static byte[] bytesOf(Writer writer) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream output = new DataOutputStream(bytes)) {
      output.writeByte(VERSION);
      writer.write(output);
    } catch (IOException e) {
      throw new UncheckedIOException("writing to memory", e);
    }
    return bytes.toByteArray();
  }

  static <T> T read(byte[] bytes, Reader<T> reader) throws IOException {
    DataInputStream input = new DataInputStream(new ByteArrayInputStream(bytes));
    try {
      int version = input.readByte();
      if (version != VERSION) {
        throw new IOException("alarms of version %d, this is %d".formatted(version, VERSION));
      }
      T value = reader.read(input);
      if (input.available() > 0) {
        throw new IOException("alarms with %d bytes too many".formatted(input.available()));
      }
      return value;
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  static void writeBatch(AlarmBatch batch, DataOutputStream output) throws IOException {
    output.writeUTF(batch.table());
    output.writeByte(batch.priority().code());
    output.writeLong(batch.position());
    output.writeLong(batch.applied());
    output.writeLong(batch.atMillis());
    output.writeInt(batch.reports().size());
    for (AlarmReport report : batch.reports()) {
      output.writeByte(report.event().code());
      output.writeUTF(report.key());
      output.writeLong(report.timeMillis());
      output.writeLong(report.dueMillis());
      writeValue(report.value(), output);
      output.writeUTF(report.message());
    }
    writeMarks(batch.marks(), output);
  }

  static AlarmBatch readBatch(DataInputStream input) throws IOException {
    String table = input.readUTF();
    AlarmPriority priority = AlarmPriority.ofCode(input.readByte());
    long position = input.readLong();
    long applied = input.readLong();
    long atMillis = input.readLong();
    int count = count(input, AlarmBatch.MAX_REPORTS);
    List<AlarmReport> reports = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      reports.add(
          new AlarmReport(
              AlarmEvent.ofCode(input.readByte()),
              input.readUTF(),
              input.readLong(),
              input.readLong(),
              readValue(input),
              input.readUTF()));
    }
    return new AlarmBatch(table, priority, position, applied, atMillis, reports, readMarks(input));
  }

  static void writeAction(AlarmAction action, DataOutputStream output) throws IOException {
    output.writeByte(action.event().code());
    output.writeInt(action.targets().size());
    for (AlarmAction.Target target : action.targets()) {
      output.writeLong(target.id());
      output.writeLong(target.raised());
    }
    output.writeUTF(action.by());
    output.writeLong(action.atMillis());
    output.writeLong(action.untilMillis());
    output.writeUTF(action.note());
  }

  static AlarmAction readAction(DataInputStream input) throws IOException {
    AlarmEvent event = AlarmEvent.ofCode(input.readByte());
    int count = count(input, AlarmAction.MAX_TARGETS);
    List<AlarmAction.Target> targets = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      targets.add(new AlarmAction.Target(input.readLong(), input.readLong()));
    }
    return new AlarmAction(
        event, targets, input.readUTF(), input.readLong(), input.readLong(), input.readUTF());
  }

  static void writeAll(Alarms alarms, DataOutputStream output) throws IOException {
    output.writeLong(alarms.lastId);
    output.writeLong(alarms.changes);
    for (int raised : alarms.flood.raised) {
      output.writeInt(raised);
    }
    output.writeLong(alarms.flood.minute);
    output.writeLong(alarms.flood.total);
    output.writeLong(alarms.flood.floods);
    output.writeBoolean(alarms.flood.flooding);
    output.writeInt(alarms.tables.size());
    for (AlarmTable table : alarms.tables.values()) {
      writeTable(table, output);
    }
  }

  static Alarms readAll(DataInputStream input) throws IOException {
    Alarms alarms = new Alarms();
    alarms.lastId = input.readLong();
    alarms.changes = input.readLong();
    for (int i = 0; i < AlarmFlood.MINUTES; i++) {
      alarms.flood.raised[i] = input.readInt();
    }
    alarms.flood.minute = input.readLong();
    alarms.flood.total = input.readLong();
    alarms.flood.floods = input.readLong();
    alarms.flood.flooding = input.readBoolean();
    int tables = count(input, Alarms.MAX_TABLES);
    for (int i = 0; i < tables; i++) {
      AlarmTable table = readTable(input);
      alarms.tables.put(new Alarms.TableName(table.job, table.name), table);
    }
    return alarms;
  }

  static void writeList(AlarmList list, DataOutputStream output) throws IOException {
    output.writeLong(list.atMillis());
    AlarmCounts counts = list.counts();
    output.writeLong(counts.changes());
    output.writeInt(counts.attention());
    output.writeInt(counts.active());
    output.writeInt(counts.shelved());
    output.writeInt(counts.raisedInTenMinutes());
    output.writeBoolean(counts.flood());
    output.writeLong(counts.floods());
    output.writeLong(counts.raised());
    output.writeLong(counts.refused());
    output.writeInt(list.alarms().size());
    for (Alarm alarm : list.alarms()) {
      output.writeUTF(alarm.job());
      output.writeUTF(alarm.table());
      writeAlarm(alarm, output);
    }
  }

  static AlarmList readList(DataInputStream input) throws IOException {
    long atMillis = input.readLong();
    AlarmCounts counts =
        new AlarmCounts(
            input.readLong(),
            input.readInt(),
            input.readInt(),
            input.readInt(),
            input.readInt(),
            input.readBoolean(),
            input.readLong(),
            input.readLong(),
            input.readLong());
    int count = count(input, Alarms.MAX_ALARMS);
    List<Alarm> alarms = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      alarms.add(readAlarm(input.readUTF(), input.readUTF(), input));
    }
    return new AlarmList(atMillis, counts, alarms);
  }

  private static void writeTable(AlarmTable table, DataOutputStream output) throws IOException {
    output.writeUTF(table.job);
    output.writeUTF(table.name);
    output.writeByte(table.priority.code());
    output.writeLong(table.position);
    output.writeLong(table.applied);
    output.writeLong(table.changes);
    output.writeLong(table.refused);
    writeMarks(table.marks, output);
    output.writeInt(table.alarms.size());
    for (Alarm alarm : table.alarms.values()) {
      writeAlarm(alarm, output);
    }
    output.writeInt(table.journal.size());
    for (AlarmChange change : table.journal) {
      writeChange(change, output);
    }
  }

  private static AlarmTable readTable(DataInputStream input) throws IOException {
    AlarmTable table =
        new AlarmTable(input.readUTF(), input.readUTF(), AlarmPriority.ofCode(input.readByte()));
    table.position = input.readLong();
    table.applied = input.readLong();
    table.changes = input.readLong();
    table.refused = input.readLong();
    table.marks.putAll(readMarks(input));
    int alarms = count(input, Alarms.MAX_ALARMS);
    for (int i = 0; i < alarms; i++) {
      Alarm alarm = readAlarm(table.job, table.name, input);
      table.alarms.put(alarm.key(), alarm);
    }
    int changes = count(input, AlarmTable.MAX_CHANGES);
    for (int i = 0; i < changes; i++) {
      table.journal.addLast(readChange(input));
    }
    return table;
  }

  private static void writeAlarm(Alarm alarm, DataOutputStream output) throws IOException {
    output.writeLong(alarm.id());
    output.writeByte(alarm.priority().code());
    output.writeUTF(alarm.key());
    output.writeByte(alarm.state().code());
    output.writeLong(alarm.raised());
    output.writeLong(alarm.raisedAtMillis());
    output.writeLong(alarm.changedAtMillis());
    writeValue(alarm.value(), output);
    output.writeUTF(alarm.message());
    output.writeLong(alarm.waitingSinceMillis());
    output.writeLong(alarm.dueMillis());
    output.writeLong(alarm.shelvedUntilMillis());
    output.writeUTF(alarm.by());
    output.writeUTF(alarm.note());
  }

  private static Alarm readAlarm(String job, String table, DataInputStream input)
      throws IOException {
    long id = input.readLong();
    AlarmPriority priority = AlarmPriority.ofCode(input.readByte());
    return new Alarm(
        id,
        job,
        table,
        priority,
        input.readUTF(),
        AlarmState.ofCode(input.readByte()),
        input.readLong(),
        input.readLong(),
        input.readLong(),
        readValue(input),
        input.readUTF(),
        input.readLong(),
        input.readLong(),
        input.readLong(),
        input.readUTF(),
        input.readUTF());
  }

  private static void writeChange(AlarmChange change, DataOutputStream output) throws IOException {
    output.writeLong(change.number());
    output.writeLong(change.id());
    output.writeUTF(change.key());
    output.writeLong(change.atMillis());
    output.writeByte(change.event().code());
    output.writeByte(change.state().code());
    writeValue(change.value(), output);
    output.writeUTF(change.message());
    output.writeUTF(change.by());
    output.writeUTF(change.note());
  }

  private static AlarmChange readChange(DataInputStream input) throws IOException {
    return new AlarmChange(
        input.readLong(),
        input.readLong(),
        input.readUTF(),
        input.readLong(),
        AlarmEvent.ofCode(input.readByte()),
        AlarmState.ofCode(input.readByte()),
        readValue(input),
        input.readUTF(),
        input.readUTF(),
        input.readUTF());
  }

  private static void writeMarks(Map<String, NoticeMark> marks, DataOutputStream output)
      throws IOException {
    output.writeInt(marks.size());
    for (Map.Entry<String, NoticeMark> mark : new TreeMap<>(marks).entrySet()) {
      output.writeUTF(mark.getKey());
      output.writeLong(mark.getValue().begun());
      output.writeLong(mark.getValue().done());
      output.writeLong(mark.getValue().lost());
    }
  }

  private static Map<String, NoticeMark> readMarks(DataInputStream input) throws IOException {
    int count = count(input, AlarmBatch.MAX_MARKS);
    Map<String, NoticeMark> marks = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      marks.put(
          input.readUTF(), new NoticeMark(input.readLong(), input.readLong(), input.readLong()));
    }
    return marks;
  }

  private static void writeValue(@Nullable Double value, DataOutputStream output)
      throws IOException {
    output.writeBoolean(value != null);
    if (value != null) {
      output.writeDouble(value);
    }
  }

  private static @Nullable Double readValue(DataInputStream input) throws IOException {
    return input.readBoolean() ? input.readDouble() : null;
  }

  private static int count(DataInputStream input, int most) throws IOException {
    int count = input.readInt();
    if (count < 0 || count > most) {
      throw new IOException("a count of %d where %d are allowed".formatted(count, most));
    }
    return count;
  }
}
