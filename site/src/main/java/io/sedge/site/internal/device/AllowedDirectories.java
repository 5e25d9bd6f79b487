package io.sedge.site.internal.device;

import io.sedge.connector.ConnectorException;
import io.sedge.connector.FileAccess;
import io.sedge.identity.SecretFiles;
import io.sedge.site.api.AllowedDirectory;
import io.sedge.site.api.DeviceOptions;
import io.sedge.site.api.SiteException;
import io.sedge.task.FailureCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Directories of a device whose files jobs may use, in a file of its data directory; until a person
 * changes them, the one in which the device was started. What counts is where a file really is,
 * with links resolved at each question. Never what is in a device's data directory: keys are there,
 * and the ledger. Any thread.
 */
public final class AllowedDirectories implements FileAccess {
  /** In the data directory: {@code read} or {@code write} and a path, one line each. */
  public static final String FILE = "allowed-directories";

  private static final String READ = "read ";
  private static final String WRITE = "write ";

  /** What each data directory has, of this device and of others on the machine. */
  private static final String OF_DEVICES = "device.properties";

  private final Path file;
  private final String device;
  private volatile List<AllowedDirectory> directories;

  private AllowedDirectories(Path file, String device, List<AllowedDirectory> directories) {
    this.file = file;
    this.device = device;
    this.directories = List.copyOf(directories);
  }

  /** Those of a device. */
  public static AllowedDirectories open(DeviceOptions options) throws IOException {
    Path file = options.data().resolve(FILE);
    List<AllowedDirectory> directories = new ArrayList<>();
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        directories.add(parse(line, file));
      }
    } else {
      Path started = options.directory().toAbsolutePath().normalize();
      if (started.getParent() != null) { // A service may be started in the root.
        directories.add(new AllowedDirectory(started.toString(), true));
      }
    }
    return new AllowedDirectories(file, options.name(), directories);
  }

  private static AllowedDirectory parse(String line, Path file) throws IOException {
    if (line.startsWith(READ)) {
      return new AllowedDirectory(line.substring(READ.length()), false);
    }
    if (line.startsWith(WRITE)) {
      return new AllowedDirectory(line.substring(WRITE.length()), true);
    }
    throw new IOException(file + " is damaged; remove it, and allow the directories again");
  }

  /** As they are now. */
  public List<AllowedDirectory> list() {
    return directories;
  }

  /** See {@link io.sedge.site.api.SiteControl#allow}. */
  public synchronized void allow(String directory, boolean writable) throws SiteException {
    Path path = absolute(directory);
    if (!Files.isDirectory(path)) {
      throw new SiteException(
          FailureCode.USAGE, "%s is no directory of device %s".formatted(directory, device));
    }
    try {
      if (isOfDevice(path.toRealPath())) {
        throw new SiteException(
            FailureCode.USAGE,
            "%s is in the data directory of a device, which jobs never use".formatted(directory));
      }
    } catch (IOException e) {
      throw new SiteException(
          FailureCode.USAGE, "%s cannot be looked at: %s".formatted(directory, e), e);
    }
    List<AllowedDirectory> changed = without(path);
    changed.add(new AllowedDirectory(path.toString(), writable));
    keep(changed);
  }

  /** See {@link io.sedge.site.api.SiteControl#disallow}. */
  public synchronized void disallow(String directory) throws SiteException {
    List<AllowedDirectory> changed = without(absolute(directory));
    if (changed.size() == directories.size()) {
      throw new SiteException(
          FailureCode.UNKNOWN_NAME,
          "device %s does not allow %s; it allows: %s".formatted(device, directory, names()));
    }
    keep(changed);
  }

  private static Path absolute(String directory) throws SiteException {
    try {
      Path path = Path.of(directory);
      if (path.isAbsolute() && directory.chars().noneMatch(Character::isISOControl)) {
        return path.normalize();
      }
    } catch (InvalidPathException _) {
      // Said below.
    }
    throw new SiteException(FailureCode.USAGE, "'%s' is no absolute path".formatted(directory));
  }

  private List<AllowedDirectory> without(Path path) {
    return directories.stream()
        .filter(allowed -> !allowed.directory().equals(path.toString()))
        .collect(Collectors.toCollection(ArrayList::new));
  }

  private void keep(List<AllowedDirectory> changed) throws SiteException {
    String text =
        changed.stream()
            .map(allowed -> (allowed.writable() ? WRITE : READ) + allowed.directory() + "\n")
            .collect(Collectors.joining());
    try {
      SecretFiles.write(file, text);
    } catch (IOException e) {
      throw new SiteException(
          FailureCode.DIRECTORY_NOT_USABLE, "writing %s: %s".formatted(file, e), e);
    }
    directories = List.copyOf(changed);
  }

  private String names() {
    return directories.isEmpty()
        ? "none"
        : directories.stream()
            .map(allowed -> allowed.directory() + (allowed.writable() ? "" : " (to read)"))
            .collect(Collectors.joining(", "));
  }

  @Override
  public void check(String what, Path path, Use use) {
    Path real;
    try {
      real = real(path);
    } catch (IOException e) {
      throw new ConnectorException(
          ConnectorException.Kind.USER,
          "%s: %s leads nowhere: %s".formatted(what, path, e.getMessage()),
          e);
    }
    if (isOfDevice(real)) {
      throw new ConnectorException(
          ConnectorException.Kind.USER,
          "%s: %s is in the data directory of a device, which jobs never use: name another one"
              .formatted(what, path));
    }
    if (directories.stream().noneMatch(allowed -> allows(allowed, real, use))) {
      boolean reads = use == Use.READ;
      throw new ConnectorException(
          ConnectorException.Kind.USER,
          "%s: jobs may not %s %s on device %s, which allows: %s. To allow it, type there: sedge device allow %s%s"
              .formatted(
                  what,
                  reads ? "read" : "write",
                  real,
                  device,
                  names(),
                  nearestDirectory(real),
                  reads ? " --read-only" : ""));
    }
  }

  private static boolean allows(AllowedDirectory allowed, Path real, Use use) {
    if (use == Use.WRITE && !allowed.writable()) {
      return false;
    }
    try {
      return real.startsWith(Path.of(allowed.directory()).toRealPath());
    } catch (IOException _) {
      return false; // It is not there now.
    }
  }

  private static Path nearestDirectory(Path real) {
    return Files.isDirectory(real) ? real : Optional.ofNullable(real.getParent()).orElse(real);
  }

  private static boolean isOfDevice(Path real) {
    for (Path path = real; path != null; path = path.getParent()) {
      if (Files.exists(path.resolve(OF_DEVICES))) {
        return true;
      }
    }
    return false;
  }

  /** Where a file is that need not be there yet, whatever links lead to it. */
  private static Path real(Path path) throws IOException {
    Deque<Path> missing = new ArrayDeque<>();
    Path there = path.toAbsolutePath();
    while (!Files.exists(there, LinkOption.NOFOLLOW_LINKS) && there.getParent() != null) {
      missing.addFirst(there.getFileName());
      there = there.getParent();
    }
    Path real = there.toRealPath();
    for (Path name : missing) {
      if (name.toString().equals("..")) {
        throw new IOException("a directory before '..' is not there");
      }
      real = real.resolve(name);
    }
    return real;
  }
}
