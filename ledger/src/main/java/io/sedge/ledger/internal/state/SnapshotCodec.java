package io.sedge.ledger.internal.state;

import io.sedge.alarm.Alarms;
import io.sedge.ledger.CenterRight;
import io.sedge.ledger.Channel;
import io.sedge.ledger.Command;
import io.sedge.ledger.DeviceState;
import io.sedge.ledger.Format;
import io.sedge.ledger.Job;
import io.sedge.ledger.JobFile;
import io.sedge.ledger.JobState;
import io.sedge.ledger.LaterFormatException;
import io.sedge.ledger.Limits;
import io.sedge.ledger.MalformedException;
import io.sedge.ledger.RowBlock;
import io.sedge.ledger.TaskId;
import io.sedge.ledger.Token;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * Bytes of all of the state: magic (8), version (the {@link Format} of the site; those before,
 * which knew less, are still read), a checksum of the version (4), then in blocks with checksums
 * ({@link BlockOutputStream}) the index, the limits, devices, tokens, keys of removed devices, jobs
 * with their channels, tasks with positions, state and parts, producers, the vault ({@link
 * SecretCodec}), orders ({@link OrderCodec}), the alarms as an array, versions of models ({@link
 * ModelCodec}), and what else a center may do; each list with its count before it. Equal states
 * have equal bytes.
 */
final class SnapshotCodec {
  /** {@code SedgeLdg}. */
  private static final long MAGIC = 0x53656467654C6467L;

  /** Without whether a center may ask what devices have said. */
  private static final int UNASKED_VERSION = 14;

  /** Without whether a center may act on alarms. */
  private static final int ACTLESS_VERSION = 13;

  /** Without versions of models. */
  private static final int MODELLESS_VERSION = 12;

  /** Without files of jobs. */
  private static final int FILELESS_VERSION = 11;

  /** Without alarms. */
  private static final int ALARMLESS_VERSION = 10;

  /** Without jobs that a center has given, and when rows of tables with a rate were taken. */
  private static final int JOBLESS_VERSION = 9;

  /** Without orders of a center, and what devices say of disks and troubles. */
  private static final int ORDERLESS_VERSION = 8;

  /** Without scripts before that go on delivering. */
  private static final int REPLACELESS_VERSION = 7;

  /** Without secrets. */
  private static final int SECRETLESS_VERSION = 6;

  /** Without how much devices write. */
  private static final int RATELESS_VERSION = 5;

  /** Without tokens and keys of removed devices. */
  private static final int TOKENLESS_VERSION = 4;

  /** Without the checksum of the version. */
  private static final int UNCHECKED_VERSION = 3;

  /** Without what devices say of tasks. */
  private static final int SILENT_VERSION = 2;

  /** Without the silence in the limits, stopped devices, and rows that begin after 1. */
  private static final int FIRST_VERSION = 1;

  private static final int MANY = Integer.MAX_VALUE;

  private SnapshotCodec() {}

  static void write(Site site, OutputStream output) throws IOException {
    Encoder header = new Encoder(output);
    header.writeLong(MAGIC);
    // A version before reads it as long as it can.
    boolean asked =
        site.format > Format.FIRST || site.orders.rights.contains(CenterRight.DIAGNOSIS);
    int version = asked ? site.format : UNASKED_VERSION;
    header.writeInt(version);
    header.writeInt(BlockOutputStream.checksumOf(version));
    header.flush();
    BlockOutputStream blocks = new BlockOutputStream(output);
    Encoder encoder = new Encoder(blocks);
    encoder.writeLong(site.appliedIndex);
    CommandCodec.writeLimits(site.limits.values(), encoder);
    encoder.writeInt(site.devices.size());
    for (DeviceEntry device : site.devices.values()) {
      writeDevice(device, encoder);
    }
    writeTokens(site, encoder);
    encoder.writeLong(site.removedNumber);
    encoder.writeInt(site.jobs.size());
    for (JobEntry job : site.jobs.values()) {
      writeJob(job, encoder);
    }
    encoder.writeInt(site.tasks.size());
    for (TaskEntry task : site.tasks.values()) {
      writeTask(task, encoder);
    }
    encoder.writeInt(site.producers.size());
    for (Map.Entry<Site.Producer, Site.Answered> entry : site.producers.entrySet()) {
      encoder.writeLong(entry.getKey().high());
      encoder.writeLong(entry.getKey().low());
      encoder.writeLong(entry.getValue().sequence());
      AnswerCodec.write(entry.getValue().answers(), encoder);
    }
    SecretCodec.writeVault(site.vault, encoder);
    OrderCodec.writeOrders(site.orders, encoder);
    OrderCodec.writeJobs(site.orders, encoder);
    OrderCodec.writeTimes(site.orders, encoder);
    encoder.writeBytes(site.alarms.bytes());
    ModelCodec.writeModels(site.models, encoder);
    OrderCodec.writeRight(site.orders, CenterRight.ALARMS, encoder);
    if (asked) {
      OrderCodec.writeRight(site.orders, CenterRight.DIAGNOSIS, encoder);
    }
    encoder.flush();
    blocks.end();
  }

  static Site read(InputStream input) throws IOException, MalformedException {
    Decoder header = new Decoder(input, Long.BYTES + 2 * Integer.BYTES);
    if (header.readLong() != MAGIC) {
      throw new MalformedException("this is no snapshot of a ledger");
    }
    int version = header.readInt();
    if (version < FIRST_VERSION) {
      throw new MalformedException("a snapshot of version %d".formatted(version));
    }
    if (version > UNCHECKED_VERSION && header.readInt() != BlockOutputStream.checksumOf(version)) {
      throw new MalformedException("a snapshot whose version has a wrong checksum");
    }
    if (version > Format.NEWEST) {
      throw LaterFormatException.of("a snapshot has", version);
    }
    BlockInputStream blocks = new BlockInputStream(input);
    try {
      Site site = readSite(new Decoder(blocks, Long.MAX_VALUE), version);
      blocks.checkEnd();
      site.checkInvariants();
      return site;
    } catch (IOException | IllegalArgumentException e) {
      throw new MalformedException("a damaged snapshot: " + e.getMessage(), e);
    }
  }

  private static Site readSite(Decoder decoder, int version)
      throws IOException, MalformedException {
    Site site = new Site();
    site.appliedIndex = decoder.readLong();
    site.limits =
        Limits.DEFAULT.with(
            version == FIRST_VERSION
                ? CommandCodec.readSizes(decoder)
                : CommandCodec.readLimits(decoder));
    int devices = decoder.readCount(1, MANY);
    for (int i = 0; i < devices; i++) {
      DeviceEntry device = readDevice(decoder, version);
      site.devices.put(device.name, device);
    }
    if (version > TOKENLESS_VERSION) {
      readTokens(site, decoder);
    }
    site.removedNumber = decoder.readLong();
    int jobs = decoder.readCount(1, MANY);
    for (int i = 0; i < jobs; i++) {
      JobEntry job = readJob(decoder, version);
      site.jobs.put(job.name, job);
      for (Channel channel : Channel.values()) {
        site.addRowBytes(channel, job.rows(channel).bytes);
      }
    }
    int tasks = decoder.readCount(1, MANY);
    for (int i = 0; i < tasks; i++) {
      TaskEntry task = readTask(decoder);
      site.tasks.put(task.id, task);
      site.stateBytes += task.bytes;
      site.partsBytes += task.partsBytes;
    }
    int producers = decoder.readCount(1, Site.MAX_PRODUCERS);
    for (int i = 0; i < producers; i++) {
      Site.Producer producer = new Site.Producer(decoder.readLong(), decoder.readLong());
      site.remember(producer, new Site.Answered(decoder.readLong(), AnswerCodec.read(decoder)));
    }
    if (version > SECRETLESS_VERSION) {
      SecretCodec.readVault(site.vault, decoder);
    }
    if (version > ORDERLESS_VERSION) {
      OrderCodec.readOrders(site.orders, decoder);
    }
    if (version > JOBLESS_VERSION) {
      OrderCodec.readJobs(site.orders, decoder);
      OrderCodec.readTimes(site.orders, decoder);
    }
    if (version > ALARMLESS_VERSION) {
      site.alarms = Alarms.of(decoder.readBytes());
    }
    if (version > MODELLESS_VERSION) {
      ModelCodec.readModels(site.models, decoder);
    }
    if (version > ACTLESS_VERSION) {
      OrderCodec.readRight(site.orders, CenterRight.ALARMS, decoder);
    }
    if (version > UNASKED_VERSION) {
      OrderCodec.readRight(site.orders, CenterRight.DIAGNOSIS, decoder);
    }
    site.format = Math.max(version, Format.FIRST);
    return site;
  }

  private static void writeDevice(DeviceEntry device, Encoder encoder) throws IOException {
    encoder.writeText(device.name);
    encoder.writeText(device.address);
    encoder.writeByte(device.state.code());
    encoder.writeTexts(device.labels);
    MeasuresCodec.write(device.measures, encoder);
    encoder.writeLong(device.heard);
    encoder.writeLong(device.heardAtMillis);
    encoder.writeBoolean(device.stopped);
  }

  private static DeviceEntry readDevice(Decoder decoder, int version)
      throws IOException, MalformedException {
    String name = decoder.readText();
    String address = decoder.readText();
    DeviceState state = DeviceState.ofCode(decoder.readByte());
    DeviceEntry device =
        new DeviceEntry(name, address, Map.copyOf(decoder.readTexts(Command.MAX_PROPERTIES)));
    device.state = state;
    device.measures = MeasuresCodec.read(decoder, measuresForm(version));
    device.heard = decoder.readLong();
    device.heardAtMillis = decoder.readLong();
    device.stopped = version > FIRST_VERSION && decoder.readBoolean();
    return device;
  }

  private static MeasuresCodec.Form measuresForm(int version) {
    if (version > ORDERLESS_VERSION) {
      return MeasuresCodec.Form.WHOLE;
    }
    if (version > RATELESS_VERSION) {
      return MeasuresCodec.Form.WITH_RATES;
    }
    return version > SILENT_VERSION ? MeasuresCodec.Form.WITH_REMARKS : MeasuresCodec.Form.SILENT;
  }

  private static void writeTokens(Site site, Encoder encoder) throws IOException {
    encoder.writeLong(site.membershipVersion);
    encoder.writeInt(site.tokens.size());
    for (Token token : site.tokens.values()) {
      encoder.writeText(token.hash());
      encoder.writeLong(token.endMillis());
      encoder.writeText(token.usedBy());
    }
    encoder.writeInt(site.removedKeys.size());
    for (String key : site.removedKeys) {
      encoder.writeText(key);
    }
  }

  private static void readTokens(Site site, Decoder decoder)
      throws IOException, MalformedException {
    site.membershipVersion = decoder.readLong();
    int tokens = decoder.readCount(1, Command.AddToken.MAX_TOKENS);
    for (int i = 0; i < tokens; i++) {
      Token token = new Token(decoder.readText(), decoder.readLong(), decoder.readText());
      site.tokens.put(token.hash(), token);
    }
    int keys = decoder.readCount(1, Site.MAX_REMOVED_KEYS);
    for (int i = 0; i < keys; i++) {
      site.shutOut(decoder.readText());
    }
  }

  private static void writeJob(JobEntry job, Encoder encoder) throws IOException {
    encoder.writeText(job.name);
    encoder.writeText(job.script);
    encoder.writeLong(job.version);
    encoder.writeByte(job.state.code());
    encoder.writeText(job.detail);
    CommandCodec.writeParts(job.parts, encoder);
    JobFileCodec.write(job.files, encoder);
    Job.Earlier earlier = job.earlier;
    encoder.writeBoolean(earlier != null);
    if (earlier != null) {
      encoder.writeText(earlier.script());
      encoder.writeLong(earlier.version());
      encoder.writeLong(earlier.lastRow());
      JobFileCodec.write(earlier.files(), encoder);
    }
    for (Channel channel : Channel.values()) {
      writeQueue(job.rows(channel), encoder);
    }
  }

  private static void writeQueue(RowQueue queue, Encoder encoder) throws IOException {
    encoder.writeLong(queue.firstRow);
    encoder.writeLong(queue.nextRow);
    encoder.writeLong(queue.acknowledgedRow);
    encoder.writeInt(queue.blocks.size());
    for (RowBlock block : queue.blocks.values()) {
      encoder.writeText(block.task().shard());
      encoder.writeLong(block.sequence());
      CommandCodec.writeRows(block.rows(), encoder);
    }
  }

  private static List<JobFile> readFiles(Decoder decoder, int version)
      throws IOException, MalformedException {
    return version > FILELESS_VERSION ? List.copyOf(JobFileCodec.read(decoder)) : List.of();
  }

  private static JobEntry readJob(Decoder decoder, int version)
      throws IOException, MalformedException {
    JobEntry job = new JobEntry(decoder.readText(), decoder.readText(), 0);
    job.version = decoder.readLong();
    job.state = JobState.ofCode(decoder.readByte());
    job.detail = decoder.readText();
    job.parts = List.copyOf(CommandCodec.readParts(decoder));
    job.files = readFiles(decoder, version);
    if (version > REPLACELESS_VERSION && decoder.readBoolean()) {
      job.earlier =
          new Job.Earlier(
              decoder.readText(),
              decoder.readLong(),
              decoder.readLong(),
              readFiles(decoder, version));
    }
    for (Channel channel : Channel.values()) {
      readQueue(job.rows(channel), job.name, decoder, version);
    }
    return job;
  }

  private static void readQueue(RowQueue queue, String job, Decoder decoder, int version)
      throws IOException, MalformedException {
    queue.firstRow = version > FIRST_VERSION ? decoder.readLong() : 1;
    queue.nextRow = decoder.readLong();
    queue.acknowledgedRow = decoder.readLong();
    int blocks = decoder.readCount(1, MANY);
    for (int i = 0; i < blocks; i++) {
      TaskId task = new TaskId(job, decoder.readText());
      queue.add(new RowBlock(task, decoder.readLong(), CommandCodec.readRows(decoder)));
    }
  }

  private static void writeTask(TaskEntry task, Encoder encoder) throws IOException {
    CommandCodec.writeTask(task.id, encoder);
    encoder.writeText(task.device);
    encoder.writeBoolean(task.ended);
    encoder.writeLong(task.epoch);
    encoder.writeLong(task.sequence);
    encoder.writeArrays(task.positions);
    encoder.writeInt(task.state.size());
    for (Map.Entry<byte[], byte[]> entry : task.state.entrySet()) {
      encoder.writeBytes(entry.getKey());
      encoder.writeBytes(entry.getValue());
    }
    encoder.writeLong(task.partsSequence);
    encoder.writeInt(task.parts.size());
    for (byte[] part : task.parts) {
      encoder.writeBytes(part);
    }
  }

  private static TaskEntry readTask(Decoder decoder) throws IOException, MalformedException {
    TaskEntry task = new TaskEntry(CommandCodec.readTask(decoder), 0);
    task.device = decoder.readText();
    task.ended = decoder.readBoolean();
    task.epoch = decoder.readLong();
    task.sequence = decoder.readLong();
    task.positions.putAll(decoder.readArrays(MANY));
    task.positions.forEach((source, position) -> task.bytes += TaskEntry.counted(source, position));
    int entries = decoder.readCount(1, MANY);
    byte[] before = null;
    for (int i = 0; i < entries; i++) {
      byte[] key = decoder.readBytes();
      if (before != null && Arrays.compareUnsigned(before, key) >= 0) {
        throw new MalformedException("keys of task %s are not in order".formatted(task.id));
      }
      before = key;
      byte[] value = decoder.readBytes();
      task.state.put(key, value);
      task.bytes += TaskEntry.counted(key, value);
    }
    task.partsSequence = decoder.readLong();
    int parts = decoder.readCount(1, MANY);
    for (int i = 0; i < parts; i++) {
      task.addPart(decoder.readBytes());
    }
    return task;
  }
}
