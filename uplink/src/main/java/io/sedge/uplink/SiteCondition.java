package io.sedge.uplink;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How a site is, in few words. Numbers that are not known are -1.
 *
 * @param leader the device that says so
 * @param devices by name; {@value #MAX_DEVICES} at most
 * @param jobs by name; the first {@value #MAX_JOBS}
 */
public record SiteCondition(String leader, List<OfDevice> devices, List<OfJob> jobs) {
  /** The most devices of a site. */
  public static final int MAX_DEVICES = 256;

  /** The most jobs that are told. */
  public static final int MAX_JOBS = 256;

  /** The most characters of a job's detail. */
  public static final int MAX_DETAIL = 200;

  private static final int VERSION = 2;

  public SiteCondition {
    devices = List.copyOf(devices);
    jobs = List.copyOf(jobs);
  }

  /**
   * A device.
   *
   * @param version of Sedge that runs there; empty if it has not said
   * @param state ACTIVE, DRAINING ...
   * @param alive whether it has reported lately
   * @param silentMillis for how long it has not
   * @param diskFreeBytes where its data is
   */
  public record OfDevice(
      String name,
      String version,
      String state,
      boolean alive,
      long silentMillis,
      long diskFreeBytes,
      long diskBytes) {}

  /**
   * A job.
   *
   * @param version of its script
   * @param state RUNNING, FAILED ...
   * @param detail why it is in its state, or what hinders it; may be empty
   * @param tasks how many it has
   * @param runningTasks how many of them run
   * @param lagSeconds how far its results are behind the clock
   * @param rows that it has given so far
   * @param waitingRows of them that are not delivered
   * @param malformed what its tasks could not read or write, since their devices were started
   * @param failures of its tasks, since their devices were started
   * @param given the center's version, if it is a job that the center has given; else 0
   */
  public record OfJob(
      String name,
      long version,
      String state,
      String detail,
      int tasks,
      int runningTasks,
      double readingsPerSecond,
      double lagSeconds,
      long rows,
      long waitingRows,
      long malformed,
      long failures,
      long given) {}

  /** As it travels and is stored. */
  public byte[] bytes() {
    return Wire.write(this::write);
  }

  private void write(DataOutputStream output) throws IOException {
    output.writeByte(VERSION);
    output.writeUTF(leader);
    output.writeInt(devices.size());
    for (OfDevice device : devices) {
      output.writeUTF(device.name());
      output.writeUTF(device.version());
      output.writeUTF(device.state());
      output.writeBoolean(device.alive());
      output.writeLong(device.silentMillis());
      output.writeLong(device.diskFreeBytes());
      output.writeLong(device.diskBytes());
    }
    output.writeInt(jobs.size());
    for (OfJob job : jobs) {
      output.writeUTF(job.name());
      output.writeLong(job.version());
      output.writeUTF(job.state());
      output.writeUTF(job.detail());
      output.writeInt(job.tasks());
      output.writeInt(job.runningTasks());
      output.writeDouble(job.readingsPerSecond());
      output.writeDouble(job.lagSeconds());
      output.writeLong(job.rows());
      output.writeLong(job.waitingRows());
      output.writeLong(job.malformed());
      output.writeLong(job.failures());
      output.writeLong(job.given());
    }
  }

  /**
   * Reads one.
   *
   * @throws UplinkException MALFORMED
   */
  public static SiteCondition read(byte[] bytes) throws UplinkException {
    return Wire.read(bytes, SiteCondition::read);
  }

  /** Reads one that is a part of a message; empty if it is of a later version. */
  static Optional<SiteCondition> readFrom(byte[] bytes) throws IOException {
    if (bytes.length > 0 && Byte.toUnsignedInt(bytes[0]) > VERSION) {
      return Optional.empty();
    }
    try {
      return Optional.of(read(bytes));
    } catch (UplinkException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private static SiteCondition read(DataInputStream input) throws IOException {
    Wire.checkVersion(input, VERSION);
    String leader = input.readUTF();
    int size = Wire.bounded(input.readInt(), MAX_DEVICES, "devices");
    List<OfDevice> devices = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      devices.add(
          new OfDevice(
              input.readUTF(),
              input.readUTF(),
              input.readUTF(),
              input.readBoolean(),
              input.readLong(),
              input.readLong(),
              input.readLong()));
    }
    int count = Wire.bounded(input.readInt(), MAX_JOBS, "jobs");
    List<OfJob> jobs = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      jobs.add(
          new OfJob(
              input.readUTF(),
              input.readLong(),
              input.readUTF(),
              input.readUTF(),
              input.readInt(),
              input.readInt(),
              input.readDouble(),
              input.readDouble(),
              input.readLong(),
              input.readLong(),
              input.readLong(),
              input.readLong(),
              input.readLong()));
    }
    return new SiteCondition(leader, devices, jobs);
  }
}
