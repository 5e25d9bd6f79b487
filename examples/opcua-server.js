// Two tanks with a pump each, as an OPC UA server of node-opcua: opc.tcp://127.0.0.1:4840. Port: the first argument.
// The level falls by 2 cm a second, and rises by 6 while the pump runs.
const { OPCUAServer } = require("node-opcua-server");
const { Variant, DataType } = require("node-opcua-variant");

const server = new OPCUAServer({ port: Number(process.argv[2] ?? 4840), host: "127.0.0.1" });

async function start() {
  await server.initialize();
  const namespace = server.engine.addressSpace.getOwnNamespace();
  const plant = namespace.addFolder("ObjectsFolder", { browseName: "Plant" });
  const variable = (name, dataType, value) =>
    namespace.addVariable({
      organizedBy: plant,
      browseName: name,
      nodeId: `s=${name}`,
      dataType: DataType[dataType],
      value: new Variant({ dataType, value }),
    });
  for (const tank of ["tank1", "tank2"]) {
    const level = variable(`${tank}.level`, DataType.Double, 35);
    const pump = variable(`${tank}.pump`, DataType.Boolean, false);
    let cm = 35;
    setInterval(() => {
      cm = Math.max(0, Math.round((cm + (pump.readValue().value.value ? 0.6 : -0.2)) * 10) / 10);
      level.setValueFromSource(new Variant({ dataType: DataType.Double, value: cm }));
    }, 100);
  }
  await server.start();
  console.log(server.getEndpointUrl());
}

start();
