package io.sedge.ledger.internal.state;

import io.sedge.alarm.AlarmAction;
import io.sedge.alarm.AlarmBatch;
import io.sedge.ledger.Command;
import io.sedge.ledger.MalformedException;
import io.sedge.ledger.TaskId;
import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;

/**
 * Bytes of commands about alarms, as {@link CommandCodec} has all. What they carry has a form of
 * its own, with a version, and stands in them as an array.
 */
final class AlarmCommandCodec {
  // Versions before stop at these types: no device writes one before a script has a table of
  // alarms.
  private static final int REPORT_ALARMS = 56;
  private static final int ACT_ON_ALARMS = 57;
  private static final int KEEP_ALARMS = 58;

  private AlarmCommandCodec() {}

  /** Whether a type is one of these. */
  static boolean has(int type) {
    return type >= REPORT_ALARMS && type <= KEEP_ALARMS;
  }

  static void write(Command.OfAlarms command, Encoder encoder) throws IOException {
    switch (command) {
      case Command.ReportAlarms report -> {
        encoder.writeByte(REPORT_ALARMS);
        CommandCodec.writeTask(report.task(), encoder);
        encoder.writeLong(report.epoch());
        encoder.writeBytes(report.batch().bytes());
      }
      case Command.ActOnAlarms act -> {
        encoder.writeByte(ACT_ON_ALARMS);
        encoder.writeBytes(act.action().bytes());
      }
      case Command.KeepAlarms keep -> {
        encoder.writeByte(KEEP_ALARMS);
        CommandCodec.writeTask(keep.task(), encoder);
        encoder.writeLong(keep.epoch());
        encoder.writeInt(keep.tables().size());
        for (String table : new TreeSet<>(keep.tables())) {
          encoder.writeText(table);
        }
      }
    }
  }

  static Command read(int type, Decoder decoder) throws IOException, MalformedException {
    return switch (type) {
      case REPORT_ALARMS -> {
        TaskId task = CommandCodec.readTask(decoder);
        long epoch = decoder.readLong();
        yield new Command.ReportAlarms(task, epoch, AlarmBatch.of(decoder.readBytes()));
      }
      case ACT_ON_ALARMS -> new Command.ActOnAlarms(AlarmAction.of(decoder.readBytes()));
      case KEEP_ALARMS -> {
        TaskId task = CommandCodec.readTask(decoder);
        long epoch = decoder.readLong();
        int count = decoder.readCount(Integer.BYTES, Command.MAX_PROPERTIES);
        Set<String> tables = new TreeSet<>();
        for (int i = 0; i < count; i++) {
          tables.add(decoder.readText());
        }
        yield new Command.KeepAlarms(task, epoch, tables);
      }
      default -> throw new MalformedException("a command of type " + type);
    };
  }
}
