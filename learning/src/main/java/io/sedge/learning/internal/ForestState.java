package io.sedge.learning.internal;

import com.amazon.randomcutforest.state.ExecutionContext;
import com.amazon.randomcutforest.state.RandomCutForestState;
import com.amazon.randomcutforest.state.sampler.CompactSamplerState;
import com.amazon.randomcutforest.state.store.NodeStoreState;
import com.amazon.randomcutforest.state.store.PointStoreState;
import com.amazon.randomcutforest.state.tree.CompactRandomCutTreeState;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A forest as bytes: each field of the library's state, in its order there. Arrays and texts have
 * their length before them, -1 for none. All fields of each class stand here, one line each, so the
 * file is long; a test compares what is read with what was written, field by field.
 */
@SuppressWarnings({
  "deprecation",
  "NullAway"
}) // The library says of no field whether it may be null.
final class ForestState {
  private final DataOutput output;

  ForestState(DataOutput output) {
    this.output = output;
  }

  /** Writes a forest. */
  void write(RandomCutForestState state) throws IOException {
    write(state.getVersion());
    output.writeLong(state.getTotalUpdates());
    output.writeDouble(state.getTimeDecay());
    output.writeInt(state.getNumberOfTrees());
    output.writeInt(state.getSampleSize());
    output.writeInt(state.getShingleSize());
    output.writeInt(state.getDimensions());
    output.writeInt(state.getOutputAfter());
    output.writeBoolean(state.isCompressed());
    output.writeBoolean(state.isPartialTreeState());
    output.writeDouble(state.getBoundingBoxCacheFraction());
    output.writeBoolean(state.isStoreSequenceIndexesEnabled());
    output.writeBoolean(state.isCompact());
    output.writeBoolean(state.isInternalShinglingEnabled());
    output.writeBoolean(state.isCenterOfMassEnabled());
    write(state.getPrecision());
    write(state.getPointStoreState());
    List<CompactSamplerState> compactSamplerStates = state.getCompactSamplerStates();
    output.writeInt(compactSamplerStates.size());
    for (CompactSamplerState each : compactSamplerStates) {
      write(each);
    }
    List<CompactRandomCutTreeState> compactRandomCutTreeStates =
        state.getCompactRandomCutTreeStates();
    output.writeInt(compactRandomCutTreeStates.size());
    for (CompactRandomCutTreeState each : compactRandomCutTreeStates) {
      write(each);
    }
    write(state.getExecutionContext());
    output.writeBoolean(state.isSaveTreeStateEnabled());
    output.writeBoolean(state.isSaveSamplerStateEnabled());
    output.writeBoolean(state.isSaveCoordinatorStateEnabled());
    output.writeBoolean(state.isCurrentlySampling());
  }

  private void write(PointStoreState state) throws IOException {
    write(state.getVersion());
    output.writeInt(state.getDimensions());
    output.writeInt(state.getCapacity());
    output.writeInt(state.getShingleSize());
    write(state.getPrecision());
    output.writeInt(state.getStartOfFreeSegment());
    write(state.getPointData());
    output.writeBoolean(state.isCompressed());
    write(state.getRefCount());
    output.writeBoolean(state.isDirectLocationMap());
    write(state.getLocationList());
    write(state.getReverseLocationList());
    output.writeBoolean(state.isReverseAvailable());
    output.writeBoolean(state.isInternalShinglingEnabled());
    write(state.getInternalShingle());
    output.writeLong(state.getLastTimeStamp());
    output.writeBoolean(state.isRotationEnabled());
    output.writeBoolean(state.isDynamicResizingEnabled());
    output.writeInt(state.getCurrentStoreCapacity());
    output.writeInt(state.getIndexCapacity());
    write(state.getDuplicateRefs());
  }

  private void write(NodeStoreState state) throws IOException {
    write(state.getVersion());
    output.writeInt(state.getCapacity());
    output.writeBoolean(state.isCompressed());
    write(state.getCutDimension());
    write(state.getCutValueData());
    write(state.getPrecision());
    output.writeInt(state.getRoot());
    output.writeBoolean(state.isCanonicalAndNotALeaf());
    output.writeInt(state.getSize());
    write(state.getLeftIndex());
    write(state.getRightIndex());
    write(state.getNodeFreeIndexes());
    output.writeInt(state.getNodeFreeIndexPointer());
    write(state.getLeafFreeIndexes());
    output.writeInt(state.getLeafFreeIndexPointer());
    output.writeBoolean(state.isPartialTreeStateEnabled());
    write(state.getLeafMass());
    write(state.getLeafPointIndex());
  }

  private void write(CompactRandomCutTreeState state) throws IOException {
    write(state.getVersion());
    output.writeInt(state.getRoot());
    output.writeInt(state.getMaxSize());
    output.writeInt(state.getOutputAfter());
    output.writeBoolean(state.isStoreSequenceIndexesEnabled());
    output.writeBoolean(state.isCenterOfMassEnabled());
    write(state.getNodeStoreState());
    output.writeDouble(state.getBoundingBoxCacheFraction());
    output.writeBoolean(state.isPartialTreeState());
    output.writeLong(state.getSeed());
    output.writeInt(state.getId());
    output.writeInt(state.getDimensions());
    output.writeFloat(state.getWeight());
    write(state.getAuxiliaryData());
    output.writeBoolean(state.isHasAuxiliaryData());
  }

  private void write(CompactSamplerState state) throws IOException {
    write(state.getVersion());
    write(state.getWeight());
    write(state.getPointIndex());
    output.writeBoolean(state.isStoreSequenceIndicesEnabled());
    write(state.getSequenceIndex());
    output.writeInt(state.getSize());
    output.writeInt(state.getCapacity());
    output.writeDouble(state.getInitialAcceptFraction());
    output.writeDouble(state.getTimeDecay());
    output.writeLong(state.getSequenceIndexOfMostRecentTimeDecayUpdate());
    output.writeLong(state.getMaxSequenceIndex());
    output.writeBoolean(state.isCompressed());
    output.writeLong(state.getRandomSeed());
  }

  private void write(ExecutionContext state) throws IOException {
    output.writeBoolean(state.isParallelExecutionEnabled());
    output.writeInt(state.getThreadPoolSize());
    write(state.getMode());
  }

  private void write(@Nullable String text) throws IOException {
    write(text == null ? null : text.getBytes(StandardCharsets.UTF_8));
  }

  private void write(byte @Nullable [] bytes) throws IOException {
    output.writeInt(bytes == null ? -1 : bytes.length);
    if (bytes != null) {
      output.write(bytes);
    }
  }

  private void write(int @Nullable [] values) throws IOException {
    output.writeInt(values == null ? -1 : values.length);
    for (int i = 0; values != null && i < values.length; i++) {
      output.writeInt(values[i]);
    }
  }

  private void write(long @Nullable [] values) throws IOException {
    output.writeInt(values == null ? -1 : values.length);
    for (int i = 0; values != null && i < values.length; i++) {
      output.writeLong(values[i]);
    }
  }

  private void write(float @Nullable [] values) throws IOException {
    output.writeInt(values == null ? -1 : values.length);
    for (int i = 0; values != null && i < values.length; i++) {
      output.writeFloat(values[i]);
    }
  }

  private void write(double @Nullable [] values) throws IOException {
    output.writeInt(values == null ? -1 : values.length);
    for (int i = 0; values != null && i < values.length; i++) {
      output.writeDouble(values[i]);
    }
  }

  /** Reads what was written. */
  static RandomCutForestState read(DataInput input) throws IOException {
    RandomCutForestState state = new RandomCutForestState();
    state.setVersion(readText(input));
    state.setTotalUpdates(input.readLong());
    state.setTimeDecay(input.readDouble());
    state.setNumberOfTrees(input.readInt());
    state.setSampleSize(input.readInt());
    state.setShingleSize(input.readInt());
    state.setDimensions(input.readInt());
    state.setOutputAfter(input.readInt());
    state.setCompressed(input.readBoolean());
    state.setPartialTreeState(input.readBoolean());
    state.setBoundingBoxCacheFraction(input.readDouble());
    state.setStoreSequenceIndexesEnabled(input.readBoolean());
    state.setCompact(input.readBoolean());
    state.setInternalShinglingEnabled(input.readBoolean());
    state.setCenterOfMassEnabled(input.readBoolean());
    state.setPrecision(readText(input));
    state.setPointStoreState(readPointStoreState(input));
    List<CompactSamplerState> compactSamplerStates = new ArrayList<>();
    for (int left = input.readInt(); left > 0; left--) {
      compactSamplerStates.add(readCompactSamplerState(input));
    }
    state.setCompactSamplerStates(compactSamplerStates);
    List<CompactRandomCutTreeState> compactRandomCutTreeStates = new ArrayList<>();
    for (int left = input.readInt(); left > 0; left--) {
      compactRandomCutTreeStates.add(readCompactRandomCutTreeState(input));
    }
    state.setCompactRandomCutTreeStates(compactRandomCutTreeStates);
    state.setExecutionContext(readExecutionContext(input));
    state.setSaveTreeStateEnabled(input.readBoolean());
    state.setSaveSamplerStateEnabled(input.readBoolean());
    state.setSaveCoordinatorStateEnabled(input.readBoolean());
    state.setCurrentlySampling(input.readBoolean());
    return state;
  }

  private static PointStoreState readPointStoreState(DataInput input) throws IOException {
    PointStoreState state = new PointStoreState();
    state.setVersion(readText(input));
    state.setDimensions(input.readInt());
    state.setCapacity(input.readInt());
    state.setShingleSize(input.readInt());
    state.setPrecision(readText(input));
    state.setStartOfFreeSegment(input.readInt());
    state.setPointData(readBytes(input));
    state.setCompressed(input.readBoolean());
    state.setRefCount(readInts(input));
    state.setDirectLocationMap(input.readBoolean());
    state.setLocationList(readInts(input));
    state.setReverseLocationList(readInts(input));
    state.setReverseAvailable(input.readBoolean());
    state.setInternalShinglingEnabled(input.readBoolean());
    state.setInternalShingle(readDoubles(input));
    state.setLastTimeStamp(input.readLong());
    state.setRotationEnabled(input.readBoolean());
    state.setDynamicResizingEnabled(input.readBoolean());
    state.setCurrentStoreCapacity(input.readInt());
    state.setIndexCapacity(input.readInt());
    state.setDuplicateRefs(readInts(input));
    return state;
  }

  private static NodeStoreState readNodeStoreState(DataInput input) throws IOException {
    NodeStoreState state = new NodeStoreState();
    state.setVersion(readText(input));
    state.setCapacity(input.readInt());
    state.setCompressed(input.readBoolean());
    state.setCutDimension(readInts(input));
    state.setCutValueData(readBytes(input));
    state.setPrecision(readText(input));
    state.setRoot(input.readInt());
    state.setCanonicalAndNotALeaf(input.readBoolean());
    state.setSize(input.readInt());
    state.setLeftIndex(readInts(input));
    state.setRightIndex(readInts(input));
    state.setNodeFreeIndexes(readInts(input));
    state.setNodeFreeIndexPointer(input.readInt());
    state.setLeafFreeIndexes(readInts(input));
    state.setLeafFreeIndexPointer(input.readInt());
    state.setPartialTreeStateEnabled(input.readBoolean());
    state.setLeafMass(readInts(input));
    state.setLeafPointIndex(readInts(input));
    return state;
  }

  private static CompactRandomCutTreeState readCompactRandomCutTreeState(DataInput input)
      throws IOException {
    CompactRandomCutTreeState state = new CompactRandomCutTreeState();
    state.setVersion(readText(input));
    state.setRoot(input.readInt());
    state.setMaxSize(input.readInt());
    state.setOutputAfter(input.readInt());
    state.setStoreSequenceIndexesEnabled(input.readBoolean());
    state.setCenterOfMassEnabled(input.readBoolean());
    state.setNodeStoreState(readNodeStoreState(input));
    state.setBoundingBoxCacheFraction(input.readDouble());
    state.setPartialTreeState(input.readBoolean());
    state.setSeed(input.readLong());
    state.setId(input.readInt());
    state.setDimensions(input.readInt());
    state.setWeight(input.readFloat());
    state.setAuxiliaryData(readBytes(input));
    state.setHasAuxiliaryData(input.readBoolean());
    return state;
  }

  private static CompactSamplerState readCompactSamplerState(DataInput input) throws IOException {
    CompactSamplerState state = new CompactSamplerState();
    state.setVersion(readText(input));
    state.setWeight(readFloats(input));
    state.setPointIndex(readInts(input));
    state.setStoreSequenceIndicesEnabled(input.readBoolean());
    state.setSequenceIndex(readLongs(input));
    state.setSize(input.readInt());
    state.setCapacity(input.readInt());
    state.setInitialAcceptFraction(input.readDouble());
    state.setTimeDecay(input.readDouble());
    state.setSequenceIndexOfMostRecentTimeDecayUpdate(input.readLong());
    state.setMaxSequenceIndex(input.readLong());
    state.setCompressed(input.readBoolean());
    state.setRandomSeed(input.readLong());
    return state;
  }

  private static ExecutionContext readExecutionContext(DataInput input) throws IOException {
    ExecutionContext state = new ExecutionContext();
    state.setParallelExecutionEnabled(input.readBoolean());
    state.setThreadPoolSize(input.readInt());
    state.setMode(readText(input));
    return state;
  }

  private static @Nullable String readText(DataInput input) throws IOException {
    byte[] bytes = readBytes(input);
    return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
  }

  private static byte @Nullable [] readBytes(DataInput input) throws IOException {
    int length = input.readInt();
    if (length < 0) {
      return null;
    }
    byte[] bytes = new byte[length];
    input.readFully(bytes);
    return bytes;
  }

  private static int @Nullable [] readInts(DataInput input) throws IOException {
    int length = input.readInt();
    if (length < 0) {
      return null;
    }
    int[] values = new int[length];
    for (int i = 0; i < length; i++) {
      values[i] = input.readInt();
    }
    return values;
  }

  private static long @Nullable [] readLongs(DataInput input) throws IOException {
    int length = input.readInt();
    if (length < 0) {
      return null;
    }
    long[] values = new long[length];
    for (int i = 0; i < length; i++) {
      values[i] = input.readLong();
    }
    return values;
  }

  private static float @Nullable [] readFloats(DataInput input) throws IOException {
    int length = input.readInt();
    if (length < 0) {
      return null;
    }
    float[] values = new float[length];
    for (int i = 0; i < length; i++) {
      values[i] = input.readFloat();
    }
    return values;
  }

  private static double @Nullable [] readDoubles(DataInput input) throws IOException {
    int length = input.readInt();
    if (length < 0) {
      return null;
    }
    double[] values = new double[length];
    for (int i = 0; i < length; i++) {
      values[i] = input.readDouble();
    }
    return values;
  }
}
