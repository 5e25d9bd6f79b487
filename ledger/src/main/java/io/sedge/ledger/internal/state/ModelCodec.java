package io.sedge.ledger.internal.state;

import io.sedge.ledger.Command;
import io.sedge.ledger.JobFile;
import io.sedge.ledger.MalformedException;
import io.sedge.ledger.ModelVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Bytes of commands about models, as {@link CommandCodec} has all, and of versions in snapshots:
 * their count (4), then each as the fields of its record.
 */
final class ModelCodec {
  // Versions before stop at this type: no device writes one before a model was trained.
  private static final int ADD_MODEL_VERSION = 64;

  private ModelCodec() {}

  /** Whether a type is one of these. */
  static boolean has(int type) {
    return type == ADD_MODEL_VERSION;
  }

  static void write(Command.AddModelVersion command, Encoder encoder) throws IOException {
    encoder.writeByte(ADD_MODEL_VERSION);
    write(command.version(), encoder);
  }

  static Command read(Decoder decoder) throws IOException, MalformedException {
    return new Command.AddModelVersion(readVersion(decoder));
  }

  static void writeModels(Models models, Encoder encoder) throws IOException {
    List<ModelVersion> all = models.all();
    encoder.writeInt(all.size());
    for (ModelVersion version : all) {
      write(version, encoder);
    }
  }

  static void readModels(Models models, Decoder decoder) throws IOException, MalformedException {
    int count = decoder.readCount(1, ModelVersion.MAX_MODELS * ModelVersion.MAX_VERSIONS);
    for (int i = 0; i < count; i++) {
      ModelVersion version = readVersion(decoder);
      models
          .versions
          .computeIfAbsent(new Models.Key(version.job(), version.model()), _ -> new ArrayList<>())
          .add(version);
    }
  }

  private static void write(ModelVersion version, Encoder encoder) throws IOException {
    encoder.writeText(version.job());
    encoder.writeText(version.model());
    encoder.writeLong(version.number());
    encoder.writeLong(version.atMillis());
    JobFileCodec.write(List.of(version.file()), encoder);
    encoder.writeText(version.algorithm());
    encoder.writeInt(version.features().size());
    for (String feature : version.features()) {
      encoder.writeText(feature);
    }
    encoder.writeText(version.label());
    encoder.writeInt(version.numbers().length);
    for (double number : version.numbers()) {
      encoder.writeDouble(number);
    }
    encoder.writeDoubles(version.metrics());
    writeLongs(version.rows(), encoder);
    writeLongs(version.sentBytes(), encoder);
    encoder.writeLong(version.leftOut());
    encoder.writeLong(version.firstMillis());
    encoder.writeLong(version.lastMillis());
    encoder.writeText(version.notes());
    encoder.writeLong(version.live());
  }

  private static ModelVersion readVersion(Decoder decoder) throws IOException, MalformedException {
    return new ModelVersion(
        decoder.readText(),
        decoder.readText(),
        decoder.readLong(),
        decoder.readLong(),
        readFile(decoder),
        decoder.readText(),
        readTexts(decoder),
        decoder.readText(),
        readNumbers(decoder),
        decoder.readDoubles(ModelVersion.MAX_NAMES),
        decoder.readMap(ModelVersion.MAX_DEVICES, Decoder::readLong),
        decoder.readMap(ModelVersion.MAX_DEVICES, Decoder::readLong),
        decoder.readLong(),
        decoder.readLong(),
        decoder.readLong(),
        decoder.readText(),
        decoder.readLong());
  }

  private static JobFile readFile(Decoder decoder) throws IOException, MalformedException {
    List<JobFile> files = JobFileCodec.read(decoder);
    if (files.size() != 1) {
      throw new MalformedException("a version of a model has %d files".formatted(files.size()));
    }
    return files.getFirst();
  }

  private static List<String> readTexts(Decoder decoder) throws IOException, MalformedException {
    int count = decoder.readCount(Integer.BYTES, ModelVersion.MAX_NAMES);
    List<String> texts = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      texts.add(decoder.readText());
    }
    return texts;
  }

  private static double[] readNumbers(Decoder decoder) throws IOException, MalformedException {
    double[] numbers = new double[decoder.readCount(Double.BYTES, ModelVersion.MAX_NUMBERS)];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = decoder.readDouble();
    }
    return numbers;
  }

  private static void writeLongs(Map<String, Long> values, Encoder encoder) throws IOException {
    encoder.writeInt(values.size());
    for (Map.Entry<String, Long> entry : new TreeMap<>(values).entrySet()) {
      encoder.writeText(entry.getKey());
      encoder.writeLong(entry.getValue());
    }
  }
}
