"""A device of pymodbus: pymodbus_server.py tcp|rtu-tcp|serial PORT. Says "ready" when it listens.

Holding and input registers are 0 but for 0 to 9, which are 100 to 109; the addresses end at 199.
A serial device makes a pair of terminals itself and says the name of the other end.
"""

import os
import pty
import select
import sys
import threading
import tty

from pymodbus.datastore import (
    ModbusSequentialDataBlock,
    ModbusServerContext,
    ModbusSlaveContext,
)
from pymodbus.server import StartSerialServer, StartTcpServer
from pymodbus.transaction import ModbusRtuFramer, ModbusSocketFramer


def block():
    return ModbusSequentialDataBlock(0, [100 + i if i < 10 else 0 for i in range(200)])


def unit():
    return ModbusSlaveContext(
        di=ModbusSequentialDataBlock(0, [False, True] * 100),
        co=ModbusSequentialDataBlock(0, [False, True] * 100),
        hr=block(),
        ir=block(),
        zero_mode=True,
    )


def relay(left, right):
    """Carries bytes between two terminals."""
    while True:
        for ready in select.select([left, right], [], [])[0]:
            os.write(right if ready == left else left, os.read(ready, 4096))


context = ModbusServerContext(slaves={1: unit(), 2: unit()}, single=False)
how, port = sys.argv[1:]
if how == "serial":
    near, near_name = pty.openpty()
    far, far_name = pty.openpty()
    for terminal in (near, near_name, far, far_name):
        tty.setraw(terminal)
    threading.Thread(target=relay, args=(near, far), daemon=True).start()
    print("ready", os.ttyname(far_name), flush=True)
    StartSerialServer(
        context=context,
        framer=ModbusRtuFramer,
        port=os.ttyname(near_name),
        baudrate=19200,
        timeout=0.005,
        ignore_missing_slaves=True,
    )
else:
    print("ready", flush=True)
    StartTcpServer(
        context=context,
        framer=ModbusRtuFramer if how == "rtu-tcp" else ModbusSocketFramer,
        address=("127.0.0.1", int(port)),
        allow_reuse_address=True,
        ignore_missing_slaves=True,
    )
