package io.sedge.sql.internal;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.type.SqlTypeFactoryImpl;
import org.apache.flink.table.calcite.ExtendedRelTypeFactory;

/** Makes Calcite's types by {@link TypeRules}; strings are Unicode. */
final class TypeFactory extends SqlTypeFactoryImpl implements ExtendedRelTypeFactory {
  TypeFactory() {
    super(TypeRules.INSTANCE);
  }

  @Override
  public Charset getDefaultCharset() {
    return StandardCharsets.UTF_16LE;
  }

  @Override
  public RelDataType createRawType(String className, String serializer) {
    throw new UnsupportedOperationException("RAW types are not supported");
  }

  @Override
  public RelDataType createStructuredType(
      String className, List<RelDataType> types, List<String> names) {
    throw new UnsupportedOperationException("structured types are not supported");
  }

  @Override
  public RelDataType createBitmapType() {
    throw new UnsupportedOperationException("BITMAP is not supported");
  }
}
