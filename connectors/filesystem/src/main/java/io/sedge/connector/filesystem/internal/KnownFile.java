package io.sedge.connector.filesystem.internal;

import org.jspecify.annotations.Nullable;

/**
 * What a {@link FileSet} knows of one file: where it is, how far it is read and, while it is open,
 * its reader. One thread.
 */
final class KnownFile {
  /** What {@link #seenBytes} is of a file that is never looked at again. */
  static final long DONE = -1;

  /** The file as it was found last. */
  FoundFile found;

  /** Of the next record, while the file is not open. */
  private long offset;

  /** The size that the file had when all in it had been looked at; it has more if that differs. */
  private long seenBytes;

  private FileFingerprint fingerprint = FileFingerprint.NONE;

  /** Whether it was read to an end after which nothing is expected. */
  private boolean complete;

  private @Nullable RecordFile reader;

  /** Whether it waits to be opened. */
  boolean queued;

  /** Whether nothing was found in it when it was its turn last. */
  boolean idle;

  /** Whether it was said already that it is not complete. */
  boolean reported;

  /** The name that it had before it was renamed, until what it held then is read. */
  private @Nullable String formerName;

  KnownFile(FoundFile found) {
    this.found = found;
  }

  static KnownFile of(FilePosition.Entry entry, FileLister lister) {
    KnownFile file =
        new KnownFile(
            new FoundFile(lister.path(entry.name()), entry.name(), entry.identity(), 0, 0));
    file.offset = entry.offset();
    file.seenBytes = entry.seenBytes();
    file.complete = entry.complete();
    file.fingerprint = entry.fingerprint();
    return file;
  }

  /** Where it stands; {@code given} instead of the reader's offset. */
  FilePosition.Entry entry(long given) {
    RecordFile open = reader;
    return open == null
        ? new FilePosition.Entry(
            found.name(), found.identity(), offset, seenBytes, complete, fingerprint)
        : new FilePosition.Entry(
            found.name(),
            found.identity(),
            given,
            open.isCompressed() ? 0 : given,
            false,
            open.fingerprint());
  }

  FilePosition.Entry entry() {
    return entry(reader == null ? offset : reader.offset());
  }

  @Nullable RecordFile reader() {
    return reader;
  }

  long offset() {
    return offset;
  }

  boolean isComplete() {
    return complete;
  }

  /** Whether there may be something in it that nobody has looked at. */
  boolean hasUnseen() {
    return reader == null && seenBytes != DONE && seenBytes != found.sizeBytes();
  }

  /** Whether a file with this one's identity can be this one, by its size. */
  boolean canBe(FoundFile other) {
    RecordFile open = reader;
    long least = open == null ? seenBytes : open.isCompressed() ? 0 : open.offset();
    return other.sizeBytes() >= least;
  }

  /** What its content begins with, as far as that is known. */
  FileFingerprint fingerprint() {
    return reader == null ? fingerprint : reader.fingerprint();
  }

  void open(RecordFile newReader) {
    reader = newReader;
    idle = false;
    complete = false;
    if (formerName != null) {
      newReader.endsNow();
    }
  }

  /** The reader is about to be closed; reading may go on later where it stands. */
  void pause() {
    RecordFile open = reader;
    if (open != null) {
      offset = open.offset();
      fingerprint = open.fingerprint();
      seenBytes = open.isCompressed() ? found.sizeBytes() : open.seenBytes();
      reader = null;
    }
  }

  /** As {@link #pause}, after all of it was read. */
  void complete(boolean forEver) {
    pause();
    complete = true;
    formerName = null;
    if (forEver) {
      seenBytes = DONE;
    }
  }

  /** All in it was looked at, for now. */
  void seenAsItIs() {
    seenBytes = found.sizeBytes();
  }

  /** To be read from its start. */
  void rewind() {
    offset = 0;
    fingerprint = FileFingerprint.NONE;
  }

  /** It has another name, or none: what it holds is read before a new file of its old name. */
  void leaves(FoundFile now) {
    boolean unread = reader != null || queued || seenBytes != now.sizeBytes();
    if (unread && formerName == null) {
      formerName = found.name();
    }
    if (reader != null) {
      reader.endsNow();
    }
    found = now;
  }

  /** It was packed into another file; not while it is open. */
  void packedInto(FoundFile now) {
    seenBytes = 0;
    leaves(now);
  }

  /** Whether it must be read to its end before a new file of this name is opened. */
  boolean precedes(String name) {
    return name.equals(formerName);
  }

  /** Whether it was renamed and is not read to its end. */
  boolean isLeaving() {
    return formerName != null;
  }
}
