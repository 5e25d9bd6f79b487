package io.sedge.ledger.internal.state;

import io.sedge.ledger.MalformedException;
import io.sedge.ledger.Measures;
import io.sedge.ledger.ProcessUse;
import io.sedge.ledger.Remark;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/** Bytes of {@link Measures}, in commands, in what is told past the log, and in snapshots. */
final class MeasuresCodec {
  private MeasuresCodec() {}

  /** How much of measures was written. */
  enum Form {
    SILENT,
    WITH_REMARKS,
    WHOLE
  }

  /** As {@link Form#WHOLE}. */
  static void write(Measures measures, Encoder encoder) throws IOException {
    encoder.writeDouble(measures.cpuShare());
    encoder.writeDouble(measures.limitFactor());
    encoder.writeLong(measures.memoryBytes());
    encoder.writeLong(measures.use().heapBytes());
    encoder.writeLong(measures.use().residentBytes());
    encoder.writeDoubles(measures.speeds());
    encoder.writeDoubles(measures.loads());
    encoder.writeDoubles(measures.lags());
    writeRemarks(measures.remarks(), encoder);
    encoder.writeDouble(measures.use().entriesPerSecond());
    encoder.writeDouble(measures.use().syncsPerSecond());
    encoder.writeDouble(measures.use().writtenBytesPerSecond());
  }

  private static void writeRemarks(Map<String, Remark> remarks, Encoder encoder)
      throws IOException {
    encoder.writeInt(remarks.size());
    for (Map.Entry<String, Remark> entry : new TreeMap<>(remarks).entrySet()) {
      encoder.writeText(entry.getKey());
      encoder.writeByte(entry.getValue().kind().code());
      encoder.writeText(entry.getValue().text());
    }
  }

  private static Remark readRemark(Decoder decoder) throws IOException, MalformedException {
    return new Remark(Remark.Kind.ofCode(decoder.readByte()), decoder.readText());
  }

  static Measures read(Decoder decoder, Form form) throws IOException, MalformedException {
    double cpuShare = decoder.readDouble();
    double limitFactor = decoder.readDouble();
    long memoryBytes = decoder.readLong();
    long heapBytes = decoder.readLong();
    long residentBytes = decoder.readLong();
    Map<String, Double> speeds = decoder.readDoubles(Measures.MAX_SPEEDS);
    Map<String, Double> loads = decoder.readDoubles(Measures.MAX_TASKS);
    Map<String, Double> lags = decoder.readDoubles(Measures.MAX_TASKS);
    Map<String, Remark> remarks =
        form == Form.SILENT
            ? Map.of()
            : decoder.readMap(Measures.MAX_REMARKS, MeasuresCodec::readRemark);
    ProcessUse use =
        form == Form.WHOLE
            ? new ProcessUse(
                heapBytes,
                residentBytes,
                decoder.readDouble(),
                decoder.readDouble(),
                decoder.readDouble())
            : new ProcessUse(heapBytes, residentBytes);
    return new Measures(cpuShare, limitFactor, memoryBytes, use, speeds, loads, lags, remarks);
  }
}
