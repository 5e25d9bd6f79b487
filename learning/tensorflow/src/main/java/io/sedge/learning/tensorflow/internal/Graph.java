package io.sedge.learning.tensorflow.internal;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
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
  /** Of the heap, by estimate, for all graphs of a file: a small device has 80 MB. */
  private static final int MOST_BYTES = 24 << 20;

  private static final int NODE_BYTES = 150;
  private static final int NAME_BYTES = 100;
  private static final int REFERENCE_BYTES = 8;
  private static final int ENTRY_BYTES = 50;

  /** A message takes more than its bytes. */
  private static final int SIGNATURE_FACTOR = 4;

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
              + "|FileSystemSetConfiguration|ImportEvent|CreateSummary.*Writer|DistributedSave"
              + "|DecodeProtoV2|EncodeProto|XlaCustomCall.*|_?(Host)?(Send|Recv)|RemoteCall|Print");

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

  private final Heap heap;

  private Graph(Heap heap) {
    this.heap = heap;
  }

  /** What is kept of a file; equal names are kept once. */
  private static final class Heap {
    private final Map<String, String> names = new HashMap<>();
    private long bytes;

    String name(String name) throws IOException {
      String known = names.putIfAbsent(name, name);
      if (known == null) {
        take(NAME_BYTES + name.length());
      }
      return known == null ? name : known;
    }

    void take(long more) throws IOException {
      bytes += more;
      if (bytes > MOST_BYTES) {
        throw new IOException(
            "its graph is too large: what is read of its nodes would take more than %d MB of memory"
                .formatted(MOST_BYTES >> 20));
      }
    }
  }

  /**
   * The graphs of a file.
   *
   * @param input the file, which is not closed
   * @throws IOException if it is damaged, or larger than any that is meant
   */
  static List<Graph> read(InputStream input) throws IOException {
    List<Graph> graphs = new ArrayList<>();
    CodedInputStream coded = CodedInputStream.newInstance(input);
    Heap heap = new Heap();
    Fields model = new Fields(coded);
    model.each(
        field -> {
          if (field != 2) {
            return false;
          }
          Graph graph = new Graph(heap);
          model.message(() -> graph.read(model));
          graphs.add(graph);
          heap.take(NODE_BYTES);
          return true;
        });
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
              case 1 ->
                  meta.message(() -> meta.each(info -> info == 4 && addUse(tags, meta.text())));
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
                Node node = readNode(graph, name, true);
                heap.take(NODE_BYTES);
                nodes.put(heap.name(last(name)), node);
                yield true;
              }
              case 2 ->
                  graph.message(
                      () ->
                          graph.each(
                              library ->
                                  switch (library) {
                                    case 1 -> readFunction(graph);
                                    case 2 -> readGradient(graph);
                                    default -> false;
                                  }));
              default -> false;
            });
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
                              () -> function.each(part -> part == 1 && set(name, function.text())));
                      case 3 -> {
                        Node node = readNode(function, new ArrayList<>(), false);
                        addUse(uses, node.operation());
                        for (String call : node.calls()) {
                          addUse(uses, call);
                        }
                        yield true;
                      }
                      default -> false;
                    }));
    return addUses(last(name), uses);
  }

  private boolean addUse(Set<String> uses, String function) throws IOException {
    if (uses.add(heap.name(function))) {
      heap.take(ENTRY_BYTES);
    }
    return true;
  }

  private boolean addUses(String function, Set<String> uses) throws IOException {
    heap.take(NODE_BYTES);
    functions.computeIfAbsent(heap.name(function), _ -> new HashSet<>()).addAll(uses);
    return true;
  }

  /** A function's gradient, which another operation than a call of it may compute. */
  private boolean readGradient(Fields gradient) throws IOException {
    List<String> function = new ArrayList<>();
    Set<String> uses = new HashSet<>();
    gradient.message(
        () ->
            gradient.each(
                field ->
                    switch (field) {
                      case 1 -> set(function, gradient.text());
                      case 2 -> addUse(uses, gradient.text());
                      default -> false;
                    }));
    return addUses(last(function), uses);
  }

  /**
   * Reads a node.
   *
   * @param name is set to its name
   * @param follows whether it matters what goes into it
   */
  private Node readNode(Fields node, List<String> name, boolean follows) throws IOException {
    List<String> operation = new ArrayList<>();
    List<String> inputs = new ArrayList<>();
    Set<String> calls = new HashSet<>();
    node.message(
        () ->
            node.each(
                field ->
                    switch (field) {
                      case 1 -> set(name, node.text());
                      case 2 -> set(operation, node.text());
                      case 3 -> follows && readName(node, inputs);
                      case 5 -> node.message(() -> readAttribute(node, calls, 0));
                      default -> false;
                    }));
    return new Node(heap.name(last(operation)), List.copyOf(inputs), Set.copyOf(calls));
  }

  /** An entry of a map, whose value may be a function, or a list of them. */
  private boolean readAttribute(Fields entry, Set<String> calls, int depth) throws IOException {
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

  private boolean readCall(Fields call, Set<String> calls, int depth) throws IOException {
    return call.message(
        () ->
            call.each(
                field ->
                    switch (field) {
                      case 1 -> addUse(calls, call.text());
                      case 2 -> call.message(() -> readAttribute(call, calls, depth + 1));
                      default -> false;
                    }));
  }

  /** A field that stands there twice has its last value. */
  private static <T> boolean set(List<T> field, T value) {
    field.clear();
    return field.add(value);
  }

  private static String last(List<String> field) {
    return field.isEmpty() ? "" : field.getFirst();
  }

  /** A list of names of nodes. */
  private boolean readCollection(Fields entry) throws IOException {
    List<String> key = new ArrayList<>();
    List<String> values = new ArrayList<>();
    entry.each(
        field ->
            switch (field) {
              case 1 -> set(key, entry.text());
              case 2 ->
                  entry.message(
                      () ->
                          entry.each(
                              list ->
                                  list == 1
                                      && entry.message(
                                          () ->
                                              entry.each(
                                                  each -> each == 1 && readName(entry, values)))));
              default -> false;
            });
    if (INITIALIZERS.contains(last(key))) {
      initializers.addAll(values);
    }
    return true;
  }

  private boolean readName(Fields list, List<String> values) throws IOException {
    heap.take(REFERENCE_BYTES);
    return values.add(heap.name(node(list.text())));
  }

  private boolean readSignature(Fields entry) throws IOException {
    List<String> key = new ArrayList<>();
    List<SignatureDef> value = new ArrayList<>();
    entry.each(
        field ->
            switch (field) {
              case 1 -> set(key, entry.text());
              case 2 -> {
                byte[] bytes = entry.bytes(MOST_SIGNATURE_BYTES);
                heap.take(NODE_BYTES + SIGNATURE_FACTOR * bytes.length);
                yield set(value, SignatureDef.parseFrom(bytes));
              }
              default -> false;
            });
    if (!value.isEmpty()) {
      signatures.put(heap.name(last(key)), value.getFirst());
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
