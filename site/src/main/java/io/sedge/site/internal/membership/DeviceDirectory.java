package io.sedge.site.internal.membership;

import io.sedge.connector.ConnectorContext.Severity;
import io.sedge.identity.DeviceIdentity;
import io.sedge.identity.SecretFiles;
import io.sedge.replication.Invitation;
import io.sedge.site.api.ConsoleAddress;
import io.sedge.site.api.DeviceOptions;
import io.sedge.site.api.LoopbackAddress;
import io.sedge.site.api.SiteException;
import io.sedge.site.internal.device.AllowedDirectories;
import io.sedge.task.FailureCode;
import io.sedge.task.JobListener;
import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A device's directory, held by this process alone until it is closed.
 *
 * <pre>
 *   lock                 held by the process that runs the device
 *   device.properties    name, addresses, labels; how it came to its site
 *   starts               how often it was started
 *   identity/            its key and certificate, and the authority's certificate
 *   authority/           the authority's key; of devices that let others in
 *   ledger/              its copy of the ledger
 *   control/socket       that commands talk to
 *   allowed-directories  what jobs may read and write, if a person has said so
 *   log/                 what it has said lately
 *   files/               the files that jobs name
 * </pre>
 */
public final class DeviceDirectory implements AutoCloseable {
  private static final String PROPERTIES = "device.properties";
  private static final String NAME = "name";
  private static final String HOST = "host";
  private static final String PORT = "port";
  private static final String ENROLMENT_PORT = "enrolment-port";
  private static final String THROUGH = "joined-through";
  private static final String SITE = "site";
  private static final String VOTER = "voter";
  private static final String METRICS = "metrics";
  private static final String LABEL = "label.";

  /** The launcher looks for it too: it decides which jars a device needs. */
  private static final String CONSOLE = "console";

  private static final String STARTS = "starts";
  private static final String LOCK = "lock";
  private static final String FILES = "files";
  private static final String HISTORY = "history";

  /** What a device has in its directory, and what a fresh file system has in its root. */
  private static final Set<String> PARTS =
      Set.of(
          LOCK,
          PROPERTIES,
          PROPERTIES + ".new",
          STARTS,
          STARTS + ".new",
          "identity",
          "authority",
          "ledger",
          "control",
          "log",
          FILES,
          HISTORY,
          AllowedDirectories.FILE,
          AllowedDirectories.FILE + ".new",
          "lost+found");

  /** What one has that has begun to join and was not let in. */
  private static final Set<String> OF_NEWCOMERS =
      Set.of(LOCK, PROPERTIES, STARTS, "identity", "log");

  private static final int MAX_NAMED = 5;

  private final Path root;
  private final FileChannel channel;
  private final FileLock lock;
  private final List<Path> made;
  private final Set<String> stood;
  private final boolean fresh;
  private boolean forgotten;

  /**
   * What a directory says of its device.
   *
   * @param through the address through which it joins; empty for the first device of a site
   * @param invitation what it was answered there, once it was
   * @param labels what jobs may demand of it
   * @param metrics where it tells programs on its machine how it is
   * @param console where it shows the site in a browser
   */
  public record Settings(
      String name,
      String host,
      int port,
      int enrolmentPort,
      Optional<String> through,
      Optional<Invitation> invitation,
      Map<String, String> labels,
      Optional<LoopbackAddress> metrics,
      Optional<ConsoleAddress> console) {
    /** Those of options. */
    public static Settings of(DeviceOptions options, Optional<String> through) {
      return new Settings(
          options.name(),
          options.host(),
          options.port(),
          options.enrolmentPort(),
          through,
          Optional.empty(),
          options.labels(),
          options.metrics(),
          options.console());
    }

    /** The same, after it was answered. */
    public Settings invited(Invitation answer) {
      return new Settings(
          name, host, port, enrolmentPort, through, Optional.of(answer), labels, metrics, console);
    }

    /** The same at another address. */
    public Settings at(String newHost, int newPort, int newEnrolmentPort) {
      return new Settings(
          name, newHost, newPort, newEnrolmentPort, through, invitation, labels, metrics, console);
    }

    /** The same with what each start may change. */
    public Settings with(DeviceOptions options) {
      return new Settings(
          name,
          host,
          port,
          enrolmentPort,
          through,
          invitation,
          options.labels(),
          options.metrics(),
          options.console());
    }
  }

  /**
   * @param made the directories that were not there, the deepest first
   * @param stood what was in it before
   */
  private DeviceDirectory(
      Path root, FileChannel channel, FileLock lock, List<Path> made, Set<String> stood) {
    this.root = root;
    this.channel = channel;
    this.lock = lock;
    this.made = made;
    this.fresh = !stood.contains(PROPERTIES);
    this.stood = new TreeSet<>(stood);
    if (!fresh) {
      this.stood.removeAll(OF_NEWCOMERS);
    }
  }

  /**
   * Takes a directory, which is made if it is not there. One that others may enter is closed to
   * them.
   *
   * @param listener hears that it was
   * @throws SiteException DIRECTORY_NOT_USABLE if another process has it, or if others may enter it
   *     and it has files of theirs
   */
  public static DeviceDirectory take(Path root, JobListener listener) throws SiteException {
    @Nullable FileChannel channel = null;
    List<Path> made = missing(root);
    try {
      if (!made.isEmpty()) {
        SecretFiles.makeDirectory(root);
      } else if (SecretFiles.isOpen(root)) {
        closeToOthers(root, listener);
      }
      boolean lockStood = Files.exists(root.resolve(LOCK));
      channel =
          FileChannel.open(root.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = channel.tryLock();
      if (lock == null) {
        channel.close();
        throw inUse(root);
      }
      Set<String> stood = names(root);
      if (!lockStood) {
        stood.remove(LOCK);
      }
      return new DeviceDirectory(root, channel, lock, made, stood);
    } catch (OverlappingFileLockException e) {
      closeQuietly(channel);
      throw inUse(root);
    } catch (IOException e) {
      closeQuietly(channel);
      throw new SiteException(
          FailureCode.DIRECTORY_NOT_USABLE,
          "the data directory %s cannot be used: %s; name another one with --data, or make it writable"
              .formatted(root, text(e)),
          e);
    }
  }

  /** The system names the kinds of its errors, which say nothing to people. */
  private static String text(IOException e) {
    return switch (e) {
      case NoSuchFileException missing -> "%s cannot be made".formatted(missing.getFile());
      case AccessDeniedException denied -> "this user may not use " + denied.getFile();
      case FileAlreadyExistsException file -> file.getFile() + " is a file";
      default -> String.valueOf(e.getMessage());
    };
  }

  private static List<Path> missing(Path root) {
    List<Path> missing = new ArrayList<>();
    for (Path path = root.toAbsolutePath();
        path != null && !Files.isDirectory(path);
        path = path.getParent()) {
      missing.add(path);
    }
    return missing;
  }

  private static Set<String> names(Path root) throws IOException {
    try (Stream<Path> files = Files.list(root)) {
      return files
          .map(file -> String.valueOf(file.getFileName()))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  private static void closeToOthers(Path root, JobListener listener)
      throws IOException, SiteException {
    List<String> foreign =
        names(root).stream().filter(name -> !PARTS.contains(name)).limit(MAX_NAMED).toList();
    if (!foreign.isEmpty()) {
      throw new SiteException(
          FailureCode.DIRECTORY_NOT_USABLE,
          "other users may enter %s, where a device keeps keys and secrets, and it has files of others (%s): name a directory of its own with --data"
              .formatted(root, String.join(", ", foreign)));
    }
    SecretFiles.makeDirectory(root);
    listener.report(
        Severity.WARNING,
        "other users could enter %s; it is open for its owner alone from now on".formatted(root));
  }

  private static SiteException inUse(Path root) {
    return new SiteException(
        FailureCode.DIRECTORY_NOT_USABLE,
        "another process runs the device in %s; a device has one process and a directory of its own (--data)"
            .formatted(root));
  }

  private static void closeQuietly(@Nullable FileChannel channel) {
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException _) {
      // It is being given up.
    }
  }

  public Path identity() {
    return identity(root);
  }

  /** Where the identity of a device is. */
  public static Path identity(Path root) {
    return root.resolve("identity");
  }

  public Path authority() {
    return root.resolve("authority");
  }

  /** Where the files that jobs name are. */
  public Path files() {
    return root.resolve(FILES);
  }

  public Path ledger() {
    return ledger(root);
  }

  /** Where the ledger of a device is. */
  public static Path ledger(Path root) {
    return root.resolve("ledger");
  }

  /** What a directory says of its device; empty if it has none. */
  public static Optional<Settings> settings(Path root) throws SiteException {
    Path file = root.resolve(PROPERTIES);
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      properties.load(reader);
      return Optional.of(
          new Settings(
              text(properties, NAME),
              text(properties, HOST),
              Integer.parseInt(text(properties, PORT)),
              Integer.parseInt(text(properties, ENROLMENT_PORT)),
              Optional.ofNullable(properties.getProperty(THROUGH)),
              properties.containsKey(SITE)
                  ? Optional.of(
                      new Invitation(
                          UUID.fromString(text(properties, SITE)),
                          Boolean.parseBoolean(text(properties, VOTER))))
                  : Optional.empty(),
              labels(properties),
              Optional.ofNullable(properties.getProperty(METRICS)).map(LoopbackAddress::parse),
              Optional.ofNullable(properties.getProperty(CONSOLE)).map(ConsoleAddress::parse)));
    } catch (IOException | IllegalArgumentException e) {
      throw new SiteException(
          FailureCode.DIRECTORY_NOT_USABLE,
          "%s is damaged (%s): remove the device from its site, and join with an empty directory"
              .formatted(file, e.getMessage()),
          e);
    }
  }

  private static Map<String, String> labels(Properties properties) {
    return properties.stringPropertyNames().stream()
        .filter(name -> name.startsWith(LABEL))
        .collect(
            Collectors.toUnmodifiableMap(
                name -> name.substring(LABEL.length()), properties::getProperty));
  }

  private static String text(Properties properties, String name) {
    String value = properties.getProperty(name);
    if (value == null || value.isBlank()) {
      throw new IllegalArgumentException(name + " is missing");
    }
    return value;
  }

  /** Keeps settings. */
  public void write(Settings settings) throws SiteException {
    Properties properties = new Properties();
    properties.setProperty(NAME, settings.name());
    properties.setProperty(HOST, settings.host());
    properties.setProperty(PORT, Integer.toString(settings.port()));
    properties.setProperty(ENROLMENT_PORT, Integer.toString(settings.enrolmentPort()));
    settings.through().ifPresent(address -> properties.setProperty(THROUGH, address));
    settings
        .invitation()
        .ifPresent(
            invitation -> {
              properties.setProperty(SITE, invitation.site().toString());
              properties.setProperty(VOTER, Boolean.toString(invitation.voter()));
            });
    settings.labels().forEach((label, value) -> properties.setProperty(LABEL + label, value));
    settings.metrics().ifPresent(at -> properties.setProperty(METRICS, at.toString()));
    settings.console().ifPresent(at -> properties.setProperty(CONSOLE, at.toString()));
    try {
      StringWriter text = new StringWriter();
      properties.store(text, "Who this device is. Not to be copied or changed.");
      SecretFiles.write(root.resolve(PROPERTIES), text.toString());
    } catch (IOException e) {
      throw new SiteException(
          FailureCode.DIRECTORY_NOT_USABLE, "writing to %s: %s".formatted(root, e), e);
    }
  }

  /**
   * Counts this start; how many there have been with it. A number that cannot be read or kept (a
   * full disk) is no reason not to start: then it is counted from nothing, or not.
   */
  public long countStart() {
    Path file = root.resolve(STARTS);
    long starts = 1;
    try {
      starts += Files.exists(file) ? Long.parseLong(Files.readString(file).strip()) : 0;
    } catch (IOException | NumberFormatException _) {
      starts = 1;
    }
    try {
      SecretFiles.write(file, Long.toString(starts));
    } catch (IOException _) {
      return starts;
    }
    return starts;
  }

  /** Whether a device has begun to join a site from here, or has joined one. */
  public boolean hasKey() {
    return Files.exists(DeviceIdentity.keyIn(identity()));
  }

  /** Whether it had no device when it was taken. */
  public boolean isFresh() {
    return fresh;
  }

  /**
   * Has all go when it is closed that has come since it was taken, with what an attempt to join
   * before has left, and the directory itself if it was made: no site knows the device.
   */
  public void forget() {
    forgotten = true;
  }

  private void removeContents() throws IOException {
    for (String name : names(root)) {
      // What is kept may be that of a `sedge run` meanwhile.
      if (PARTS.contains(name) && !name.equals(HISTORY) && !stood.contains(name)) {
        removeAll(root.resolve(name));
      }
    }
    for (Path directory : made) {
      try {
        Files.delete(directory);
      } catch (DirectoryNotEmptyException _) {
        return; // Somebody else has put something there.
      }
    }
  }

  private static void removeAll(Path part) throws IOException {
    try (Stream<Path> files = Files.walk(part)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Override
  public void close() {
    try (channel;
        lock) {
      if (forgotten) {
        removeContents();
      }
    } catch (IOException | UncheckedIOException _) {
      // The lock is gone whatever happens, and what is left harms no later start.
    }
  }
}
