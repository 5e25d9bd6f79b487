package io.sedge.tensor.training.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.tensorflow.Graph;
import org.tensorflow.Operand;
import org.tensorflow.Result;
import org.tensorflow.Session;
import org.tensorflow.Tensor;
import org.tensorflow.exceptions.TensorFlowException;
import org.tensorflow.ndarray.NdArrays;
import org.tensorflow.op.Ops;
import org.tensorflow.op.core.Placeholder;
import org.tensorflow.types.family.TType;

/**
 * Checkpoints of a training in a directory, in TensorFlow's format: {@code ckpt-STEP.index} and
 * {@code ckpt-STEP.data-00000-of-00001}, and the file {@code checkpoint} that names them. Python
 * reads them with {@code tf.train.load_checkpoint(directory)}.
 *
 * <p>A checkpoint is there as a whole or not at all: it is written under another name, forced to
 * the disk, then renamed, its index last. One that cannot be written (a full disk) leaves those
 * before it as they were. The directory belongs to one training at a time: {@link #open} locks it.
 */
public final class Checkpoints implements AutoCloseable {
  private static final String STATE = "checkpoint";
  private static final String LOCK = ".lock";
  private static final String PREFIX = "ckpt-";
  private static final String DATA = ".data-00000-of-00001";
  private static final String INDEX = ".index";
  private static final String UNFINISHED = "unfinished-";
  private static final Pattern NAME = Pattern.compile("ckpt-(\\d+)\\.index");

  private final Path directory;
  private final int kept;
  private final FileChannel lock;

  /** A checkpoint that is whole. */
  public record Checkpoint(long step, Path prefix) {}

  private Checkpoints(Path directory, int kept, FileChannel lock) {
    this.directory = directory;
    this.kept = kept;
    this.lock = lock;
  }

  /**
   * Takes a directory, which is made if it is not there.
   *
   * @param kept how many checkpoints stay, 1 and more; older ones are removed
   * @throws IllegalStateException if another training has it
   * @throws UncheckedIOException if it cannot be made or written
   */
  public static Checkpoints open(Path directory, int kept) {
    if (kept < 1) {
      throw new IllegalArgumentException("kept is " + kept + "; it is 1 or more");
    }
    Path whole = directory.toAbsolutePath().normalize();
    try {
      Files.createDirectories(whole);
      FileChannel lock =
          FileChannel.open(
              whole.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (!isLocked(lock)) {
        lock.close();
        throw new IllegalStateException(
            whole + " belongs to a training that runs: end that one, or name another directory");
      }
      Checkpoints checkpoints = new Checkpoints(whole, kept, lock);
      checkpoints.removeUnfinished();
      return checkpoints;
    } catch (IOException e) {
      throw new UncheckedIOException(whole + " cannot hold checkpoints: " + e.getMessage(), e);
    }
  }

  private static boolean isLocked(FileChannel channel) throws IOException {
    try {
      return channel.tryLock() != null;
    } catch (java.nio.channels.OverlappingFileLockException e) {
      return false;
    }
  }

  /** The directory. */
  public Path directory() {
    return directory;
  }

  /** The checkpoints that are whole, oldest first. */
  public List<Checkpoint> all() {
    List<Checkpoint> found = new ArrayList<>();
    for (Path file : files()) {
      Matcher name = NAME.matcher(file.getFileName().toString());
      if (name.matches() && Files.exists(directory.resolve(PREFIX + name.group(1) + DATA))) {
        long step = Long.parseLong(name.group(1));
        found.add(new Checkpoint(step, directory.resolve(PREFIX + step)));
      }
    }
    found.sort((left, right) -> Long.compare(left.step(), right.step()));
    return found;
  }

  /** The one of the most steps. */
  public Optional<Checkpoint> latest() {
    List<Checkpoint> all = all();
    return all.isEmpty() ? Optional.empty() : Optional.of(all.getLast());
  }

  /**
   * Writes a checkpoint and removes the oldest ones beyond those that are kept.
   *
   * @param step in its name; if there is one of the same step, it stays and nothing is written
   * @param values all variables by name
   * @throws UncheckedIOException if it cannot be written; nothing else has changed then
   */
  public Checkpoint save(long step, Map<String, Tensor> values) {
    Path draft = directory.resolve(UNFINISHED + step);
    Checkpoint made = new Checkpoint(step, directory.resolve(PREFIX + step));
    if (all().contains(made)) {
      return made;
    }
    try {
      write(draft, values);
      force(Path.of(draft + DATA));
      force(Path.of(draft + INDEX));
      move(draft + DATA, made.prefix() + DATA);
      move(draft + INDEX, made.prefix() + INDEX);
      List<Checkpoint> all = all();
      List<Checkpoint> staying = all.subList(Math.max(0, all.size() - kept), all.size());
      writeState(staying);
      for (Checkpoint old : all.subList(0, all.size() - staying.size())) {
        Files.deleteIfExists(Path.of(old.prefix() + INDEX));
        Files.deleteIfExists(Path.of(old.prefix() + DATA));
      }
      return made;
    } catch (IOException | TensorFlowException e) {
      removeUnfinished();
      IOException cause = e instanceof IOException io ? io : new IOException(e.getMessage(), e);
      throw new UncheckedIOException(
          "checkpoint of step %d cannot be written to %s: %s"
              .formatted(step, directory, firstLine(e)),
          cause);
    }
  }

  /** TensorFlow adds lines on the operation that failed. */
  private static String firstLine(Exception error) {
    String message = error.getMessage();
    return message == null || message.isBlank()
        ? error.toString()
        : message.lines().findFirst().orElse("");
  }

  private static void write(Path prefix, Map<String, Tensor> values) {
    try (Graph graph = new Graph();
        Session session = new Session(graph)) {
      Ops ops = Ops.create(graph);
      List<Operand<?>> inputs = new ArrayList<>();
      Session.Runner runner = session.runner();
      for (Tensor value : values.values()) {
        Placeholder<? extends TType> input = placeholder(ops, value);
        inputs.add(input);
        runner.feed(input, value);
      }
      String[] names = values.keySet().toArray(String[]::new);
      String[] whole = values.keySet().stream().map(name -> "").toArray(String[]::new);
      runner.addTarget(
          ops.train.save(
              ops.constant(prefix.toString()),
              ops.constant(NdArrays.vectorOfObjects(names)),
              ops.constant(NdArrays.vectorOfObjects(whole)),
              inputs));
      runner.run().close();
    }
  }

  private static Placeholder<? extends TType> placeholder(Ops ops, Tensor value) {
    return ops.placeholder(((TType) value).type(), Placeholder.shape(value.shape()));
  }

  /** Removes all checkpoints. */
  public void clear() {
    try {
      Files.deleteIfExists(directory.resolve(STATE));
      for (Checkpoint old : all()) {
        Files.deleteIfExists(Path.of(old.prefix() + INDEX));
        Files.deleteIfExists(Path.of(old.prefix() + DATA));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(directory + " cannot be cleared: " + e.getMessage(), e);
    }
  }

  /**
   * Reads variables of a checkpoint, by their whole shape.
   *
   * @param prefix its files' path without their endings
   * @return a result of one tensor for each wanted, in its order; the caller closes it
   * @throws IllegalArgumentException if there is no such checkpoint, or it lacks a variable
   */
  public static Result read(Path prefix, Map<String, Class<? extends TType>> wanted) {
    if (!Files.exists(Path.of(prefix + INDEX))) {
      throw new IllegalArgumentException(prefix + INDEX + " does not exist: no such checkpoint");
    }
    try (Graph graph = new Graph();
        Session session = new Session(graph)) {
      Ops ops = Ops.create(graph);
      String[] names = wanted.keySet().toArray(String[]::new);
      String[] whole = wanted.keySet().stream().map(name -> "").toArray(String[]::new);
      var restored =
          ops.train.restore(
              ops.constant(prefix.toString()),
              ops.constant(NdArrays.vectorOfObjects(names)),
              ops.constant(NdArrays.vectorOfObjects(whole)),
              List.copyOf(wanted.values()));
      Session.Runner runner = session.runner();
      restored.tensors().forEach(runner::fetch);
      return runner.run();
    } catch (TensorFlowException e) {
      throw new IllegalArgumentException(
          "checkpoint " + prefix + " cannot be read: " + e.getMessage(), e);
    }
  }

  /** {@link #read}, by name. */
  public static Map<String, Tensor> byName(
      Result values, Map<String, Class<? extends TType>> wanted) {
    Map<String, Tensor> named = new LinkedHashMap<>();
    int i = 0;
    for (String name : wanted.keySet()) {
      named.put(name, values.get(i++));
    }
    return named;
  }

  private void writeState(List<Checkpoint> staying) throws IOException {
    StringBuilder text = new StringBuilder();
    text.append("model_checkpoint_path: \"")
        .append(staying.getLast().prefix().getFileName())
        .append("\"\n");
    for (Checkpoint checkpoint : staying) {
      text.append("all_model_checkpoint_paths: \"")
          .append(checkpoint.prefix().getFileName())
          .append("\"\n");
    }
    Path draft = directory.resolve(UNFINISHED + STATE);
    Files.writeString(draft, text);
    force(draft);
    move(draft.toString(), directory.resolve(STATE).toString());
  }

  private static void force(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }

  private static void move(String from, String to) throws IOException {
    Files.move(
        Path.of(from),
        Path.of(to),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  private List<Path> files() {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    } catch (IOException e) {
      throw new UncheckedIOException(directory + " cannot be listed: " + e.getMessage(), e);
    }
  }

  private void removeUnfinished() {
    for (Path file : files()) {
      if (file.getFileName().toString().startsWith(UNFINISHED)) {
        try {
          Files.deleteIfExists(file);
        } catch (IOException e) {
          System.getLogger(Checkpoints.class.getName())
              .log(System.Logger.Level.WARNING, "{0} cannot be removed: {1}", file, e.getMessage());
        }
      }
    }
  }

  /** Lets the next training have the directory. */
  @Override
  public void close() {
    try {
      lock.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
