package io.sedge.learning.tensorflow.internal;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.tensorflow.proto.SignatureDef;

/**
 * A graph of a SavedModel, as its file says: tags, signatures, and which operations follow from
 * which. Read without the weights, which may be larger than the heap.
 *
 * <p>Operations that read or write files, talk to others or run code are refused where scoring or
 * loading reaches them: a model is not to read what the script that names it may not. What is
 * refused is a list, so it is no wall: a hostile model may know an operation that is not on it.
 */
final class Graph {
  private static final int MOST_NODES = 200_000;
  private static final int MOST_CHARACTERS = 4_096;
  private static final int MOST_SIGNATURE_BYTES = 1 << 20;
  private static final int MOST_DEPTH = 16;
  private static final String INITIALIZER = "__saved_model_init_op";
  private static final Set<String> INITIALIZERS =
      Set.of("saved_model_main_op", "legacy_init_op", "saved_model_initializers");

  private static final Pattern REFUSED =
      Pattern.compile(
          "(Read|Write|Matching)Files?|.*(Dataset|Reader|Snapshot|TextFile|PyFunc).*"
              + "|(DTensor)?(Save|Restore).*|MergeV2Checkpoints|LoadAndRemapMatrix|GenerateVocabRemapping"
              + "|FixedUnigramCandidateSampler|Skipgram|RecordInput|ImmutableConst|PrintV2|DumpTensor"
              + "|CalibrationStatisticsSaver|Debug(Identity|NanCount|NumericSummary).*|Rpc.*"
              + "|FileSystemSetConfiguration|ImportEvent|CreateSummary.*Writer|DistributedSave");

  /** What restores the variables, and nothing else may. */
  private static final Pattern RESTORES = Pattern.compile("RestoreV2");

  private final Set<String> tags = new TreeSet<>();
  private final Map<String, SignatureDef> signatures = new TreeMap<>();
  private final Map<String, Node> nodes = new HashMap<>();

  /** What each function calls and is made of. */
  private final Map<String, Set<String>> functions = new HashMap<>();

  private final Set<String> initializers = new HashSet<>();
  private String restore = "";

  /**
   * @param operation its name
   * @param inputs names of nodes
   * @param calls names of functions
   */
  private record Node(String operation, List<String> inputs, Set<String> calls) {}

  private Graph() {}

  /**
   * The graphs of a file.
   *
   * @throws IOException if it is damaged, or larger than any that is meant
   */
  static List<Graph> read(Path file) throws IOException {
    List<Graph> graphs = new ArrayList<>();
    try (InputStream input = Files.newInputStream(file)) {
      Fields model = new Fields(CodedInputStream.newInstance(input));
      model.each(
          field -> {
            if (field != 2) {
              return false;
            }
            Graph graph = new Graph();
            model.message(() -> graph.read(model));
            graphs.add(graph);
            return true;
          });
    }
    return graphs;
  }

  Set<String> tags() {
    return tags;
  }

  /** By name; what initializes the model is not among them. */
  Map<String, SignatureDef> signatures() {
    Map<String, SignatureDef> known = new TreeMap<>(signatures);
    known.remove(INITIALIZER);
    return known;
  }

  /** An operation that is refused and that a signature needs, or loading does. */
  Optional<String> refused(SignatureDef signature) {
    Set<String> begin = new HashSet<>(initializers);
    signature.getOutputsMap().values().forEach(output -> begin.add(node(output.getName())));
    signatures
        .getOrDefault(INITIALIZER, SignatureDef.getDefaultInstance())
        .getOutputsMap()
        .values()
        .forEach(output -> begin.add(node(output.getName())));
    Optional<String> found =
        reached(begin).stream().filter(operation -> matches(REFUSED, operation)).findFirst();
    return found.isPresent()
        ? found
        : reached(Set.of(node(restore))).stream()
            .filter(operation -> matches(REFUSED, operation) && !matches(RESTORES, operation))
            .findFirst();
  }

  private static boolean matches(Pattern pattern, String operation) {
    return pattern.matcher(operation).matches();
  }

  /** Names of all operations that nodes need, sorted. */
  private Set<String> reached(Set<String> begin) {
    Set<String> seen = new HashSet<>();
    Deque<String> open = new ArrayDeque<>(begin);
    Set<String> operations = new TreeSet<>();
    Deque<String> called = new ArrayDeque<>();
    while (!open.isEmpty()) {
      String name = open.remove();
      Node node = nodes.get(name);
      if (node != null && seen.add(name)) {
        called.add(node.operation());
        called.addAll(node.calls());
        open.addAll(node.inputs());
      }
    }
    while (!called.isEmpty()) {
      String name = called.remove();
      if (operations.add(name)) {
        called.addAll(functions.getOrDefault(name, Set.of()));
      }
    }
    return operations;
  }

  /** The node of an output ({@code add:1}) or a control input ({@code ^add}). */
  private static String node(String output) {
    int begin = output.startsWith("^") ? 1 : 0;
    int end = output.indexOf(':');
    return output.substring(begin, end < 0 ? output.length() : end);
  }

  private boolean read(Fields meta) throws IOException {
    meta.each(
        field ->
            switch (field) {
              case 1 -> meta.message(() -> meta.each(info -> info == 4 && tags.add(meta.text())));
              case 2 -> meta.message(() -> readGraph(meta));
              case 3 ->
                  meta.message(
                      () ->
                          meta.each(
                              saver -> {
                                if (saver == 3) {
                                  restore = meta.text();
                                }
                                return saver == 3;
                              }));
              case 4 -> meta.message(() -> readCollection(meta));
              case 5 -> meta.message(() -> readSignature(meta));
              default -> false;
            });
    return true;
  }

  private boolean readGraph(Fields graph) throws IOException {
    graph.each(
        field ->
            switch (field) {
              case 1 -> {
                List<String> name = new ArrayList<>();
                Node node = readNode(graph, name);
                nodes.put(last(name), node);
                yield checkSize();
              }
              case 2 ->
                  graph.message(() -> graph.each(library -> library == 1 && readFunction(graph)));
              default -> false;
            });
    return true;
  }

  private boolean checkSize() throws IOException {
    if (nodes.size() + functions.size() > MOST_NODES) {
      throw new IOException("its graph has more than %,d nodes".formatted(MOST_NODES));
    }
    return true;
  }

  private boolean readFunction(Fields function) throws IOException {
    List<String> name = new ArrayList<>();
    Set<String> uses = new HashSet<>();
    function.message(
        () ->
            function.each(
                field ->
                    switch (field) {
                      case 1 ->
                          function.message(
                              () -> function.each(part -> part == 1 && name.add(function.text())));
                      case 3 -> {
                        Node node = readNode(function, new ArrayList<>());
                        uses.add(node.operation());
                        uses.addAll(node.calls());
                        yield true;
                      }
                      default -> false;
                    }));
    functions.put(last(name), uses);
    return checkSize();
  }

  private static Node readNode(Fields node, List<String> name) throws IOException {
    List<String> operation = new ArrayList<>();
    List<String> inputs = new ArrayList<>();
    Set<String> calls = new HashSet<>();
    node.message(
        () ->
            node.each(
                field ->
                    switch (field) {
                      case 1 -> name.add(node.text());
                      case 2 -> operation.add(node.text());
                      case 3 -> inputs.add(node(node.text()));
                      case 5 -> node.message(() -> readAttribute(node, calls, 0));
                      default -> false;
                    }));
    return new Node(last(operation), inputs, calls);
  }

  /** An entry of a map, whose value may be a function, or a list of them. */
  private static boolean readAttribute(Fields entry, Set<String> calls, int depth)
      throws IOException {
    if (depth > MOST_DEPTH) {
      throw new IOException("its graph is nested too deeply");
    }
    entry.each(
        field ->
            field == 2
                && entry.message(
                    () ->
                        entry.each(
                            value ->
                                switch (value) {
                                  case 1 ->
                                      entry.message(
                                          () ->
                                              entry.each(
                                                  each ->
                                                      each == 9 && readCall(entry, calls, depth)));
                                  case 10 -> readCall(entry, calls, depth);
                                  default -> false;
                                })));
    return true;
  }

  private static boolean readCall(Fields call, Set<String> calls, int depth) throws IOException {
    return call.message(
        () ->
            call.each(
                field ->
                    switch (field) {
                      case 1 -> calls.add(call.text());
                      case 2 -> call.message(() -> readAttribute(call, calls, depth + 1));
                      default -> false;
                    }));
  }

  /** A field that stands there twice has its last value. */
  private static String last(List<String> values) {
    return values.isEmpty() ? "" : values.getLast();
  }

  /** A list of names of nodes. */
  private boolean readCollection(Fields entry) throws IOException {
    List<String> key = new ArrayList<>();
    List<String> values = new ArrayList<>();
    entry.each(
        field ->
            switch (field) {
              case 1 -> key.add(entry.text());
              case 2 ->
                  entry.message(
                      () ->
                          entry.each(
                              list ->
                                  list == 1
                                      && entry.message(
                                          () ->
                                              entry.each(
                                                  each ->
                                                      each == 1
                                                          && values.add(node(entry.text()))))));
              default -> false;
            });
    if (INITIALIZERS.contains(last(key))) {
      initializers.addAll(values);
    }
    return true;
  }

  private boolean readSignature(Fields entry) throws IOException {
    List<String> key = new ArrayList<>();
    List<SignatureDef> value = new ArrayList<>();
    entry.each(
        field ->
            switch (field) {
              case 1 -> key.add(entry.text());
              case 2 -> value.add(SignatureDef.parseFrom(entry.bytes(MOST_SIGNATURE_BYTES)));
              default -> false;
            });
    if (!value.isEmpty()) {
      signatures.put(last(key), value.getLast());
    }
    return true;
  }

  /** Reads the fields of messages, one after the other; skips what nobody wants. */
  private static final class Fields {
    private final CodedInputStream input;

    Fields(CodedInputStream input) {
      this.input = input;
    }

    /** What is done with a field. */
    @FunctionalInterface
    interface Reading {
      /** Whether it was read; else it is skipped. */
      boolean read(int field) throws IOException;
    }

    /** What is done with a message. */
    @FunctionalInterface
    interface Inner {
      Object read() throws IOException;
    }

    boolean each(Reading reading) throws IOException {
      for (int tag = input.readTag(); tag != 0; tag = input.readTag()) {
        boolean hasLength = WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_LENGTH_DELIMITED;
        int before = input.getTotalBytesRead();
        boolean done = hasLength && reading.read(WireFormat.getTagFieldNumber(tag));
        if (!done && input.getTotalBytesRead() == before) {
          input.skipField(tag);
        }
      }
      return true;
    }

    boolean message(Inner inner) throws IOException {
      int outer = input.pushLimit(input.readRawVarint32());
      var _ = inner.read();
      input.checkLastTagWas(0);
      input.popLimit(outer);
      return true;
    }

    String text() throws IOException {
      return new String(bytes(MOST_CHARACTERS), StandardCharsets.UTF_8);
    }

    byte[] bytes(int most) throws IOException {
      int length = input.readRawVarint32();
      if (length < 0 || length > most) {
        throw new IOException("a name in its graph is too long");
      }
      return input.readRawBytes(length);
    }
  }
}
