package io.sedge.ledger.internal.state;

import io.sedge.ledger.Command;
import io.sedge.ledger.JobFile;
import io.sedge.ledger.MalformedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Bytes of {@link Command.ReplaceJob}: its fields in the order of the record, but for the files,
 * which stand last, where the type says that there are some.
 */
final class ReplacementCodec {
  private static final int MANY = Integer.MAX_VALUE;

  private ReplacementCodec() {}

  static void write(Command.ReplaceJob replace, Encoder encoder) throws IOException {
    encoder.writeText(replace.job());
    encoder.writeLong(replace.version());
    encoder.writeText(replace.script());
    encoder.writeInt(replace.kept().size());
    for (Command.KeptTasks kept : replace.kept()) {
      writeKept(kept, encoder);
    }
    writeNames(replace.dropped(), encoder);
    encoder.writeTexts(replace.exchanges());
    encoder.writeBoolean(replace.deliversBefore());
    if (!replace.files().isEmpty()) {
      JobFileCodec.write(replace.files(), encoder);
    }
  }

  /**
   * @param files whether it names some
   */
  static Command.ReplaceJob read(Decoder decoder, boolean files)
      throws IOException, MalformedException {
    String job = decoder.readText();
    long version = decoder.readLong();
    String script = decoder.readText();
    int count = decoder.readCount(4 * Integer.BYTES + 1, MANY);
    List<Command.KeptTasks> kept = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      kept.add(readKept(decoder));
    }
    Set<String> dropped = readNames(decoder);
    Map<String, String> exchanges = decoder.readTexts(MANY);
    boolean deliversBefore = decoder.readBoolean();
    List<JobFile> named = files ? JobFileCodec.read(decoder) : List.of();
    return new Command.ReplaceJob(
        job, version, script, named, kept, dropped, exchanges, deliversBefore);
  }

  private static void writeKept(Command.KeptTasks kept, Encoder encoder) throws IOException {
    writeNames(kept.shards(), encoder);
    encoder.writeTexts(kept.positions());
    encoder.writeInt(kept.state().size());
    for (Command.KeptState state : kept.state()) {
      encoder.writeBytes(state.from());
      encoder.writeBytes(state.to());
    }
    CommandCodec.writeChanges(kept.set(), encoder);
    encoder.writeBoolean(kept.goesOn());
  }

  private static Command.KeptTasks readKept(Decoder decoder)
      throws IOException, MalformedException {
    Set<String> shards = readNames(decoder);
    Map<String, String> positions = decoder.readTexts(MANY);
    int count = decoder.readCount(2 * (Integer.BYTES + Command.KeptState.BYTES), MANY);
    List<Command.KeptState> state = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      state.add(new Command.KeptState(decoder.readBytes(), decoder.readBytes()));
    }
    return new Command.KeptTasks(
        shards, positions, state, CommandCodec.readChanges(decoder), decoder.readBoolean());
  }

  private static void writeNames(Set<String> names, Encoder encoder) throws IOException {
    encoder.writeInt(names.size());
    for (String name : new TreeSet<>(names)) {
      encoder.writeText(name);
    }
  }

  private static Set<String> readNames(Decoder decoder) throws IOException, MalformedException {
    int count = decoder.readCount(Integer.BYTES, MANY);
    Set<String> names = new TreeSet<>();
    for (int i = 0; i < count; i++) {
      names.add(decoder.readText());
    }
    return names;
  }
}
