package io.sedge.ledger.internal.state;

import io.sedge.ledger.JobFile;
import io.sedge.ledger.MalformedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Bytes of the files of a job: their count (4), then each as the fields of its record. */
final class JobFileCodec {
  private JobFileCodec() {}

  static void write(List<JobFile> files, Encoder encoder) throws IOException {
    encoder.writeInt(files.size());
    for (JobFile file : files) {
      encoder.writeText(file.path());
      encoder.writeText(file.sha256());
      encoder.writeLong(file.bytes());
    }
  }

  static List<JobFile> read(Decoder decoder) throws IOException, MalformedException {
    int count = decoder.readCount(2 * Integer.BYTES + Long.BYTES, JobFile.MAX_FILES);
    List<JobFile> files = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      files.add(new JobFile(decoder.readText(), decoder.readText(), decoder.readLong()));
    }
    return files;
  }
}
