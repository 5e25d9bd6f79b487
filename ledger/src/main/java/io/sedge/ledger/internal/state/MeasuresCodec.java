package io.sedge.ledger.internal.state;

import io.sedge.ledger.JobTroubles;
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
    WITH_RATES,
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
    encoder.writeLong(measures.use().diskFreeBytes());
    encoder.writeLong(measures.use().diskBytes());
    encoder.writeInt(measures.troubles().size());
    for (Map.Entry<String, JobTroubles> entry : new TreeMap<>(measures.troubles()).entrySet()) {
      encoder.writeText(entry.getKey());
      encoder.writeLong(entry.getValue().malformed());
      encoder.writeLong(entry.getValue().failures());
    }
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

  private static JobTroubles readTroubles(Decoder decoder) throws IOException, MalformedException {
    return new JobTroubles(decoder.readLong(), decoder.readLong());
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
        switch (form) {
          case SILENT, WITH_REMARKS -> new ProcessUse(heapBytes, residentBytes);
          case WITH_RATES ->
              new ProcessUse(
                  heapBytes,
                  residentBytes,
                  decoder.readDouble(),
                  decoder.readDouble(),
                  decoder.readDouble());
          case WHOLE ->
              new ProcessUse(
                  heapBytes,
                  residentBytes,
                  decoder.readDouble(),
                  decoder.readDouble(),
                  decoder.readDouble(),
                  decoder.readLong(),
                  decoder.readLong());
        };
    Map<String, JobTroubles> troubles =
        form == Form.WHOLE
            ? decoder.readMap(Measures.MAX_TROUBLES, MeasuresCodec::readTroubles)
            : Map.of();
    return new Measures(
        cpuShare, limitFactor, memoryBytes, use, speeds, loads, lags, remarks, troubles);
  }
}
