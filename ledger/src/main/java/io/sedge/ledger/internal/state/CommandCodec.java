package io.sedge.ledger.internal.state;

import io.sedge.ledger.Change;
import io.sedge.ledger.Channel;
import io.sedge.ledger.Command;
import io.sedge.ledger.DeviceState;
import io.sedge.ledger.Envelope;
import io.sedge.ledger.Format;
import io.sedge.ledger.InputPart;
import io.sedge.ledger.JobFile;
import io.sedge.ledger.JobState;
import io.sedge.ledger.LaterFormatException;
import io.sedge.ledger.Limit;
import io.sedge.ledger.MalformedException;
import io.sedge.ledger.Measures;
import io.sedge.ledger.Rows;
import io.sedge.ledger.TaskId;
import io.sedge.ledger.internal.state.MeasuresCodec.Form;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Bytes of envelopes: version (1), producer (16), sequence (8), count (4), then each command as its
 * type (1) and its fields in the order of its record. Numbers are big-endian; texts and arrays have
 * their length (4) before them, lists and maps their count (4).
 */
public final class CommandCodec {
  public static final int VERSION = 1;

  /** Of an envelope, before its commands. */
  public static final int HEADER_BYTES = 1 + 3 * Long.BYTES + Integer.BYTES;

  private static final int REGISTER_DEVICE = 1;
  private static final int REPORT_DEVICE = 2;
  private static final int SET_DEVICE_STATE = 3;
  private static final int REMOVE_DEVICE = 4;
  private static final int SUBMIT_JOB = 5;
  private static final int SET_JOB_STATE = 6;
  private static final int REMOVE_JOB = 7;
  private static final int ASSIGN_TASK = 8;
  private static final int OPEN_TASK = 9;
  private static final int REMOVE_TASK = 10;
  private static final int COMMIT = 11;
  private static final int COMMIT_PART = 12;
  private static final int ACKNOWLEDGE_ROWS = 13;

  /** All sizes at once, as versions before {@link #SET_LIMITS} wrote it; only read. */
  private static final int SET_SIZES = 14;

  /**
   * Without remarks and rates of writing, as versions before {@link #MEASURE} wrote it; only read.
   */
  private static final int MEASURE_DEVICE = 15;

  private static final int END_TASK = 16;
  private static final int SET_PARTS = 17;
  private static final int SET_LIMITS = 18;
  private static final int LAST_REPORT = 19;
  private static final int ACKNOWLEDGE_TASK_ROWS = 20;

  /** Without rates of writing, as versions before {@link #MEASURE} wrote it; only read. */
  private static final int MEASURE_WITH_REMARKS = 21;

  /** {@link #REMOVE_DEVICE} with the key that is kept out. */
  private static final int REMOVE_WITH_KEY = 22;

  private static final int ADD_TOKEN = 23;
  private static final int ENROL_DEVICE = 24;
  private static final int REPLACE_JOB = 26;
  private static final int END_DELIVERY = 27;

  /** Without the disk and troubles, as versions before {@link #MEASURE} wrote it; only read. */
  private static final int MEASURE_WITH_RATES = 25;

  /** Like each new type, versions before stop at it. */
  private static final int MEASURE = 28;

  /** {@link #SUBMIT_JOB} with files. */
  private static final int SUBMIT_WITH_FILES = 59;

  /** {@link #REPLACE_JOB} with files. */
  private static final int REPLACE_WITH_FILES = 60;

  private static final int RAISE_FORMAT = 67;

  /** Only what there are bytes for can be in a list, so this is no bound of memory. */
  private static final int MANY = Integer.MAX_VALUE;

  private CommandCodec() {}

  public static byte[] encode(Envelope envelope) {
    return assemble(
        envelope.producerHigh(),
        envelope.producerLow(),
        envelope.sequence(),
        envelope.commands().stream().map(CommandCodec::encodeCommand).toList());
  }

  /** The bytes of one command, of which envelopes are assembled. */
  public static byte[] encodeCommand(Command command) {
    return Encoder.bytesOf(encoder -> write(command, encoder));
  }

  /** The bytes of an envelope of commands that have been encoded. */
  public static byte[] assemble(long high, long low, long sequence, List<byte[]> commands) {
    int length = HEADER_BYTES;
    for (byte[] command : commands) {
      length = Math.addExact(length, command.length);
    }
    ByteBuffer bytes = ByteBuffer.allocate(length);
    bytes.put((byte) VERSION).putLong(high).putLong(low).putLong(sequence);
    bytes.putInt(commands.size());
    commands.forEach(bytes::put);
    return bytes.array();
  }

  public static Envelope decode(byte[] bytes) throws MalformedException {
    return Decoder.of(
        bytes,
        decoder -> {
          checkVersion(decoder.readByte());
          long high = decoder.readLong();
          long low = decoder.readLong();
          long sequence = decoder.readLong();
          int count = decoder.readCount(1, Envelope.MAX_COMMANDS);
          List<Command> commands = new ArrayList<>(count);
          for (int i = 0; i < count; i++) {
            commands.add(read(decoder));
          }
          return new Envelope(high, low, sequence, commands);
        });
  }

  static void checkVersion(int version) throws MalformedException {
    if (version != VERSION) {
      throw new MalformedException(
          "bytes of version %d, this is version %d".formatted(version, VERSION));
    }
  }

  /** The bytes of one commit, to be cut into parts. */
  public static byte[] encodeCommit(Command.Commit commit) {
    return Encoder.bytesOf(encoder -> writeCommit(commit, encoder));
  }

  static Command.Commit decodeCommit(byte[] bytes) throws MalformedException {
    return Decoder.of(bytes, CommandCodec::readCommit);
  }

  private static void write(Command command, Encoder encoder) throws IOException {
    switch (command) {
      case Command.RegisterDevice register -> {
        encoder.writeByte(REGISTER_DEVICE);
        writeRegistration(register, encoder);
      }
      case Command.ReportDevice report -> {
        encoder.writeByte(report.last() ? LAST_REPORT : REPORT_DEVICE);
        encoder.writeText(report.device());
        encoder.writeLong(report.atMillis());
      }
      case Command.MeasureDevice(String device, Measures measures) -> {
        encoder.writeByte(MEASURE);
        encoder.writeText(device);
        MeasuresCodec.write(measures, encoder);
      }
      case Command.SetDeviceState(String device, DeviceState state) -> {
        encoder.writeByte(SET_DEVICE_STATE);
        encoder.writeText(device);
        encoder.writeByte(state.code());
      }
      case Command.RemoveDevice(String device, String key) -> {
        encoder.writeByte(key.isEmpty() ? REMOVE_DEVICE : REMOVE_WITH_KEY);
        encoder.writeText(device);
        if (!key.isEmpty()) {
          encoder.writeText(key);
        }
      }
      case Command.AddToken(String hash, long endMillis, long atMillis) -> {
        encoder.writeByte(ADD_TOKEN);
        encoder.writeText(hash);
        encoder.writeLong(endMillis);
        encoder.writeLong(atMillis);
      }
      case Command.EnrolDevice enrol -> {
        encoder.writeByte(ENROL_DEVICE);
        encoder.writeLong(enrol.version());
        encoder.writeText(enrol.token());
        encoder.writeText(enrol.key());
        writeRegistration(enrol.registration(), encoder);
      }
      case Command.SubmitJob(String job, String script, List<JobFile> files) -> {
        encoder.writeByte(files.isEmpty() ? SUBMIT_JOB : SUBMIT_WITH_FILES);
        encoder.writeText(job);
        encoder.writeText(script);
        if (!files.isEmpty()) {
          JobFileCodec.write(files, encoder);
        }
      }
      case Command.ReplaceJob replace -> {
        encoder.writeByte(replace.files().isEmpty() ? REPLACE_JOB : REPLACE_WITH_FILES);
        ReplacementCodec.write(replace, encoder);
      }
      case Command.EndDelivery(String job, long version) -> {
        encoder.writeByte(END_DELIVERY);
        encoder.writeText(job);
        encoder.writeLong(version);
      }
      case Command.SetJobState(String job, long version, JobState state, String detail) -> {
        encoder.writeByte(SET_JOB_STATE);
        encoder.writeText(job);
        encoder.writeLong(version);
        encoder.writeByte(state.code());
        encoder.writeText(detail);
      }
      case Command.SetParts(String job, long version, List<InputPart> parts) -> {
        encoder.writeByte(SET_PARTS);
        encoder.writeText(job);
        encoder.writeLong(version);
        writeParts(parts, encoder);
      }
      case Command.RemoveJob(String job, boolean discardRows) -> {
        encoder.writeByte(REMOVE_JOB);
        encoder.writeText(job);
        encoder.writeBoolean(discardRows);
      }
      case Command.AssignTask(TaskId task, String device, long epoch) -> {
        encoder.writeByte(ASSIGN_TASK);
        writeTask(task, encoder);
        encoder.writeText(device);
        encoder.writeLong(epoch);
      }
      case Command.OpenTask(TaskId task, String device, long epoch) -> {
        encoder.writeByte(OPEN_TASK);
        writeTask(task, encoder);
        encoder.writeText(device);
        encoder.writeLong(epoch);
      }
      case Command.EndTask(TaskId task, long epoch) -> {
        encoder.writeByte(END_TASK);
        writeTask(task, encoder);
        encoder.writeLong(epoch);
      }
      case Command.RemoveTask(TaskId task, long epoch) -> {
        encoder.writeByte(REMOVE_TASK);
        writeTask(task, encoder);
        encoder.writeLong(epoch);
      }
      case Command.Commit commit -> {
        encoder.writeByte(COMMIT);
        writeCommit(commit, encoder);
      }
      case Command.CommitPart part -> {
        encoder.writeByte(COMMIT_PART);
        writeTask(part.task(), encoder);
        encoder.writeLong(part.epoch());
        encoder.writeLong(part.sequence());
        encoder.writeInt(part.number());
        encoder.writeInt(part.count());
        encoder.writeBytes(part.bytes());
      }
      case Command.AcknowledgeRows(String job, Channel channel, long upTo) -> {
        encoder.writeByte(ACKNOWLEDGE_ROWS);
        encoder.writeText(job);
        encoder.writeByte(channel.code());
        encoder.writeLong(upTo);
      }
      case Command.AcknowledgeTaskRows(TaskId task, Channel channel, long upTo) -> {
        encoder.writeByte(ACKNOWLEDGE_TASK_ROWS);
        writeTask(task, encoder);
        encoder.writeByte(channel.code());
        encoder.writeLong(upTo);
      }
      case Command.RaiseFormat(int format) -> {
        encoder.writeByte(RAISE_FORMAT);
        encoder.writeInt(format);
      }
      case Command.SetLimits(Map<Limit, Long> values) -> {
        encoder.writeByte(SET_LIMITS);
        writeLimits(values, encoder);
      }
      case Command.OfSecrets ofSecrets -> SecretCodec.write(ofSecrets, encoder);
      case Command.OfOrders ofOrders -> OrderCodec.write(ofOrders, encoder);
      case Command.OfAlarms ofAlarms -> AlarmCommandCodec.write(ofAlarms, encoder);
      case Command.AddModelVersion add -> ModelCodec.write(add, encoder);
    }
  }

  private static Command read(Decoder decoder) throws IOException, MalformedException {
    int type = decoder.readByte();
    return switch (type) {
      case REGISTER_DEVICE -> readRegistration(decoder);
      case REPORT_DEVICE -> new Command.ReportDevice(decoder.readText(), decoder.readLong(), false);
      case LAST_REPORT -> new Command.ReportDevice(decoder.readText(), decoder.readLong(), true);
      case MEASURE_DEVICE ->
          new Command.MeasureDevice(decoder.readText(), MeasuresCodec.read(decoder, Form.SILENT));
      case MEASURE_WITH_REMARKS ->
          new Command.MeasureDevice(
              decoder.readText(), MeasuresCodec.read(decoder, Form.WITH_REMARKS));
      case MEASURE_WITH_RATES ->
          new Command.MeasureDevice(
              decoder.readText(), MeasuresCodec.read(decoder, Form.WITH_RATES));
      case MEASURE ->
          new Command.MeasureDevice(decoder.readText(), MeasuresCodec.read(decoder, Form.WHOLE));
      case SET_DEVICE_STATE ->
          new Command.SetDeviceState(decoder.readText(), DeviceState.ofCode(decoder.readByte()));
      case REMOVE_DEVICE -> new Command.RemoveDevice(decoder.readText(), "");
      case REMOVE_WITH_KEY -> new Command.RemoveDevice(decoder.readText(), decoder.readText());
      case ADD_TOKEN ->
          new Command.AddToken(decoder.readText(), decoder.readLong(), decoder.readLong());
      case ENROL_DEVICE ->
          new Command.EnrolDevice(
              decoder.readLong(),
              decoder.readText(),
              decoder.readText(),
              readRegistration(decoder));
      case SUBMIT_JOB -> new Command.SubmitJob(decoder.readText(), decoder.readText());
      case SUBMIT_WITH_FILES ->
          new Command.SubmitJob(decoder.readText(), decoder.readText(), JobFileCodec.read(decoder));
      case REPLACE_JOB -> ReplacementCodec.read(decoder, false);
      case REPLACE_WITH_FILES -> ReplacementCodec.read(decoder, true);
      case END_DELIVERY -> new Command.EndDelivery(decoder.readText(), decoder.readLong());
      case SET_JOB_STATE ->
          new Command.SetJobState(
              decoder.readText(),
              decoder.readLong(),
              JobState.ofCode(decoder.readByte()),
              decoder.readText());
      case SET_PARTS ->
          new Command.SetParts(decoder.readText(), decoder.readLong(), readParts(decoder));
      case REMOVE_JOB -> new Command.RemoveJob(decoder.readText(), decoder.readBoolean());
      case ASSIGN_TASK ->
          new Command.AssignTask(readTask(decoder), decoder.readText(), decoder.readLong());
      case OPEN_TASK ->
          new Command.OpenTask(readTask(decoder), decoder.readText(), decoder.readLong());
      case END_TASK -> new Command.EndTask(readTask(decoder), decoder.readLong());
      case REMOVE_TASK -> new Command.RemoveTask(readTask(decoder), decoder.readLong());
      case COMMIT -> readCommit(decoder);
      case COMMIT_PART ->
          new Command.CommitPart(
              readTask(decoder),
              decoder.readLong(),
              decoder.readLong(),
              decoder.readInt(),
              decoder.readInt(),
              decoder.readBytes());
      case ACKNOWLEDGE_ROWS ->
          new Command.AcknowledgeRows(
              decoder.readText(), Channel.ofCode(decoder.readByte()), decoder.readLong());
      case ACKNOWLEDGE_TASK_ROWS ->
          new Command.AcknowledgeTaskRows(
              readTask(decoder), Channel.ofCode(decoder.readByte()), decoder.readLong());
      case SET_SIZES -> new Command.SetLimits(readSizes(decoder));
      case RAISE_FORMAT -> readRaise(decoder);
      case SET_LIMITS -> new Command.SetLimits(readLimits(decoder));
      default -> {
        if (ModelCodec.has(type)) {
          yield ModelCodec.read(decoder);
        }
        yield AlarmCommandCodec.has(type)
            ? AlarmCommandCodec.read(type, decoder)
            : SecretCodec.read(type, decoder);
      }
    };
  }

  private static Command readRaise(Decoder decoder) throws IOException, MalformedException {
    int format = decoder.readInt();
    if (format > Format.NEWEST) {
      throw LaterFormatException.of("the site has", format);
    }
    return new Command.RaiseFormat(format);
  }

  private static void writeRegistration(Command.RegisterDevice register, Encoder encoder)
      throws IOException {
    encoder.writeText(register.device());
    encoder.writeText(register.address());
    encoder.writeTexts(register.labels());
  }

  private static Command.RegisterDevice readRegistration(Decoder decoder)
      throws IOException, MalformedException {
    return new Command.RegisterDevice(
        decoder.readText(), decoder.readText(), decoder.readTexts(Command.MAX_PROPERTIES));
  }

  static void writeTask(TaskId task, Encoder encoder) throws IOException {
    encoder.writeText(task.job());
    encoder.writeText(task.shard());
  }

  static TaskId readTask(Decoder decoder) throws IOException, MalformedException {
    return new TaskId(decoder.readText(), decoder.readText());
  }

  private static void writeCommit(Command.Commit commit, Encoder encoder) throws IOException {
    writeTask(commit.task(), encoder);
    encoder.writeLong(commit.epoch());
    encoder.writeLong(commit.sequence());
    encoder.writeArrays(commit.positions());
    writeChanges(commit.changes(), encoder);
    encoder.writeInt(commit.rows().size());
    for (Rows rows : commit.rows()) {
      writeRows(rows, encoder);
    }
  }

  private static Command.Commit readCommit(Decoder decoder) throws IOException, MalformedException {
    TaskId task = readTask(decoder);
    long epoch = decoder.readLong();
    long sequence = decoder.readLong();
    var positions = decoder.readArrays(Command.MAX_PROPERTIES);
    List<Change> changes = readChanges(decoder);
    int blocks = decoder.readCount(3 * Integer.BYTES, MANY);
    List<Rows> rows = new ArrayList<>(blocks);
    for (int i = 0; i < blocks; i++) {
      rows.add(readRows(decoder));
    }
    return new Command.Commit(task, epoch, sequence, positions, changes, rows);
  }

  static void writeChanges(List<Change> changes, Encoder encoder) throws IOException {
    encoder.writeInt(changes.size());
    for (Change change : changes) {
      byte[] value = change.value();
      encoder.writeBoolean(value != null);
      encoder.writeBytes(change.key());
      if (value != null) {
        encoder.writeBytes(value);
      }
    }
  }

  static List<Change> readChanges(Decoder decoder) throws IOException, MalformedException {
    int count = decoder.readCount(1 + Integer.BYTES, MANY);
    List<Change> changes = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      boolean put = decoder.readBoolean();
      byte[] key = decoder.readBytes();
      changes.add(new Change(key, put ? decoder.readBytes() : null));
    }
    return changes;
  }

  static void writeParts(List<InputPart> parts, Encoder encoder) throws IOException {
    encoder.writeInt(parts.size());
    for (InputPart part : parts) {
      encoder.writeText(part.table());
      encoder.writeText(part.name());
      encoder.writeText(part.range());
      encoder.writeLong(part.bytes());
    }
  }

  static List<InputPart> readParts(Decoder decoder) throws IOException, MalformedException {
    int count = decoder.readCount(3 * Integer.BYTES + Long.BYTES, Command.SetParts.MAX_PARTS);
    List<InputPart> parts = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      parts.add(
          new InputPart(
              decoder.readText(), decoder.readText(), decoder.readText(), decoder.readLong()));
    }
    return parts;
  }

  static void writeRows(Rows rows, Encoder encoder) throws IOException {
    encoder.writeByte(rows.channel().code());
    encoder.writeText(rows.table());
    encoder.writeInt(rows.count());
    encoder.writeBytes(rows.bytes());
  }

  static Rows readRows(Decoder decoder) throws IOException, MalformedException {
    return new Rows(
        Channel.ofCode(decoder.readByte()),
        decoder.readText(),
        decoder.readInt(),
        decoder.readBytes());
  }

  static void writeLimits(Map<Limit, Long> values, Encoder encoder) throws IOException {
    encoder.writeInt(values.size());
    for (Map.Entry<Limit, Long> entry : new TreeMap<>(values).entrySet()) {
      encoder.writeByte(entry.getKey().code());
      encoder.writeLong(entry.getValue());
    }
  }

  static Map<Limit, Long> readLimits(Decoder decoder) throws IOException, MalformedException {
    int count = decoder.readCount(1 + Long.BYTES, Limit.values().length);
    Map<Limit, Long> values = new EnumMap<>(Limit.class);
    for (int i = 0; i < count; i++) {
      Limit limit = Limit.ofCode(decoder.readByte());
      if (values.put(limit, decoder.readLong()) != null) {
        throw new MalformedException(limit + " stands there twice");
      }
    }
    return values;
  }

  /** The limits as they were written when there were sizes only. */
  static Map<Limit, Long> readSizes(Decoder decoder) throws IOException, MalformedException {
    Map<Limit, Long> values = new EnumMap<>(Limit.class);
    for (Limit limit :
        List.of(Limit.DEVICES, Limit.JOBS, Limit.TASKS, Limit.SCRIPT_BYTES, Limit.COMMIT_BYTES)) {
      values.put(limit, (long) decoder.readInt());
    }
    for (Limit limit : List.of(Limit.STATE_BYTES, Limit.OUTBOX_BYTES, Limit.EXCHANGE_BYTES)) {
      values.put(limit, decoder.readLong());
    }
    return values;
  }
}
