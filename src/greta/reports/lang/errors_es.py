"""Errors in Spanish. An error is raised in English, as the API shows it; the command line translates.

Keys are the sentences as they stand where they are raised, with {} for what is filled in; a test
compares them with the code of the packages that every command needs.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

ERRORS: Final = {
    # The parser's.
    "{}; see `{} --help`": "{}; véase `{} --help`",
    "unrecognized arguments: {}; did you mean `{}`?": "argumentos desconocidos: {}; ¿quiso decir `{}`?",
    "unrecognized arguments: {}; see `{} --help`": "argumentos desconocidos: {}; véase `{} --help`",
    "there is no command {}; {}": "no existe la orden {}; {}",
    "this command runs no program; drop the `--` and what follows it": "esta orden no ejecuta ningún programa; quite `--` y lo que sigue",
    "unexpected {} before `--`": "{} no se esperaba antes de `--`",
    # Of the command line.
    "--explain: there is no {}; there are: {}": "--explain: no existe {}; existen: {}",
    "--out: {} is not empty; name a new folder": "--out: {} no está vacía; indique una carpeta nueva",
    "--format {} is of one run; parquet takes several": "--format {} es de una sola ejecución; parquet admite varias",
    "--format {} goes to a file, not to stdout; name one with -o": "--format {} va a un archivo, no a stdout; indíquelo con -o",
    "--trace-file: there is nothing to write; say what with --trace": "--trace-file: no hay nada que escribir; diga qué con --trace",
    "--batch-size makes copies of one prompt; drop it, or all prompts but one": "--batch-size copia un solo prompt; quítelo, o deje un solo prompt",
    "--prompt-file: stdin is closed; give a file, or a prompt with --prompt": "--prompt-file: stdin está cerrado; dé un archivo, o un prompt con --prompt",
    "--prompt-file: {} is longer than {} bytes": "--prompt-file: {} tiene más de {} bytes",
    "--prompt-file: cannot read {}: {}": "--prompt-file: no se puede leer {}: {}",
    "--greedy always takes the likeliest token; drop it, or drop --{}": "--greedy toma siempre el token más probable; quítelo, o quite --{}",
    "--trace-file: cannot write {}: {}": "--trace-file: no se puede escribir {}: {}",
    "--json: cannot write {}: {}": "--json: no se puede escribir {}: {}",
    "--print-env, --cflags and --libs print and run no program; drop one": "--print-env, --cflags y --libs imprimen y no ejecutan nada; quite lo uno o lo otro",
    "-o: {}": "-o: {}",
    "{}: cannot write {}: {}": "{}: no se puede escribir {}: {}",
    "cannot write {}: {}": "no se puede escribir {}: {}",
    "cannot write {}: {}; name another file with -o": "no se puede escribir {}: {}; indique otro archivo con -o",
    "cannot write to stdout: {}": "no se puede escribir en stdout: {}",
    "add what? usage: greta case add ID RUN|LOG|AUDIT": "¿añadir qué? uso: greta case add ID RUN|LOG|AUDIT",
    "why? --reason {}": "¿por qué? --reason {}",
    "which case? usage: greta case {} ID; see `greta case list`": "¿qué caso? uso: greta case {} ID; véase `greta case list`",
    "which runs? say --older AGE, --keep N, or both": "¿qué ejecuciones? diga --older AGE, --keep N, o ambos",
    "greta case {} takes one ID, and no {}": "greta case {} admite un solo ID, y no {}",
    "greta audit merge: name the folders of two parts or more": "greta audit merge: indique las carpetas de dos partes o más",
    "no program given; usage: {}": "falta el programa; uso: {}",
    "no program given": "falta el programa",
    "no format given; {}": "falta el formato; {}",
    "nothing to compile; usage: {}": "no hay nada que compilar; uso: {}",
    "nothing was removed; --yes removes them without asking": "no se ha borrado nada; --yes las borra sin preguntar",
    "one folder at a time; usage: {}": "una carpeta cada vez; uso: {}",
    "several runs become a data set; name its folder with -o": "varias ejecuciones forman un conjunto de datos; indique su carpeta con -o",
    "give either --prompt or --prompt-file; see `greta infer --help`": "dé --prompt o --prompt-file; véase `greta infer --help`",
    "the ending {} of {} does not say the format; known are {}; or {}": "la terminación {} de {} no dice el formato; se conocen {}; o {}",
    "the prompt has {} tokens, and the context ends at {}; shorten the prompt or raise --context if the model allows it": "el prompt tiene {} tokens, y el contexto acaba en {}; acorte el prompt o aumente --context si el modelo lo permite",
    "a run keeps no code; give the program's file to --disassemble": "una ejecución no guarda código; dé a --disassemble el archivo del programa",
    "there is no kernel {}; there are: {}": "no existe el kernel {}; existen: {}",
    "there is no language {}; there are: {}": "no existe el idioma {}; existen: {}",
    "there is no format {} of a report; there are: md, html, json": "no existe el formato de informe {}; existen: md, html, json",
    "{}: the program of this run loaded no code object": "{}: el programa de esta ejecución no cargó ningún objeto de código",
    "{} has no code for {}; it has code for {}": "{} no tiene código para {}; lo tiene para {}",
    "{} is the name of several kernels; say which: {}": "{} es el nombre de varios kernels; diga cuál: {}",
    "{} is a file; name the folder of a data set with -o": "{} es un archivo; indique con -o la carpeta de un conjunto de datos",
    "{} is a folder; name a file with -o": "{} es una carpeta; indique un archivo con -o",
    "{} is there already; add --force to replace it": "{} ya existe; añada --force para reemplazarlo",
    "{} is neither an audit's folder, a run folder, a log, FAILURES/RUNS nor a day with an entry of the case {}": "{} no es la carpeta de una auditoría ni de una ejecución, ni un registro, ni FALLOS/EJECUCIONES, ni un día con una entrada del caso {}",
    "{} is no summary of an audit": "{} no es el resumen de una auditoría",
    "{} does not exist; name a run folder": "{} no existe; indique la carpeta de una ejecución",
    "{} is no run folder; `greta.analyze` reads logs": "{} no es la carpeta de una ejecución; `greta.analyze` lee registros",
    # Of files from outside.
    "{} cannot be read: {}": "{} no se puede leer: {}",
    "{} is {}, not a regular file": "{} es {}, no un archivo normal",
    "{} has {} bytes; at most {} are read": "{} tiene {} bytes; se leen {} como mucho",
    "{} has {} bytes, nearly all of it holes": "{} tiene {} bytes, casi todos huecos",
    "{} has more than {} bytes; no more are read": "{} tiene más de {} bytes; no se leen más",
    "{} is a link that leads out of its folder": "{} es un enlace que sale de su carpeta",
    "{} is not JSON": "{} no es JSON",
    "{} is no JSON object": "{} no es un objeto JSON",
    # Of runs.
    "{} belongs to another user (uid {}); what it names is not run: record the program yourself with `greta run`": "{} es de otro usuario (uid {}); lo que nombra no se ejecuta: grabe usted el programa con `greta run`",
    "{} is not run again: the folder does not hold the hash of what ran then; record it anew with `greta run`": "{} no se vuelve a ejecutar: la carpeta no guarda el hash de lo que se ejecutó; grábelo de nuevo con `greta run`",
    "{} is not the file that ran then: its hash is another; record the new one with `greta run` first": "{} no es el archivo que se ejecutó: su hash es otro; grabe antes el nuevo con `greta run`",
    "{} cannot be run again: {}": "{} no se puede volver a ejecutar: {}",
    "this would run `{}` in {}; say --yes to run it, as there is no terminal to ask at": "esto ejecutaría `{}` en {}; diga --yes para ejecutarlo, ya que no hay terminal donde preguntar",
    "not run": "no se ha ejecutado",
    "{} was not written down; give the whole command again after `--`": "{} no se anotó; dé otra vez la orden entera después de `--`",
    "{} was set then, and its value was not written down; set it and try again": "{} tenía entonces un valor que no se anotó; defínala e inténtelo de nuevo",
    "the command after `--` is not the one that was recorded; drop it": "la orden después de `--` no es la que se grabó; quítela",
    "--expect-build: {} is neither a file nor a hash or build id (6 to 64 hexadecimal digits); build it first, or correct the path": "--expect-build: {} no es un archivo, ni un hash o build id (de 6 a 64 cifras hexadecimales); compílelo antes, o corrija la ruta",
    "--expect-build: {} cannot be read: {}": "--expect-build: {} no se puede leer: {}",
    "--expect-text: the text is empty; say what the program must contain": "--expect-text: el texto está vacío; diga qué debe contener el programa",
    "--debug-agent is for a GPU: the simulated device names the access that faulted by itself; leave it out": "--debug-agent es para una GPU: el dispositivo simulado nombra por sí mismo el acceso que falló; quítelo",
    "--debug-agent needs {}, which is not installed here (not in {}); install AMD's package rocm-debug-agent, or leave it out": "--debug-agent necesita {}, que no está instalado (no está en {}); instale el paquete rocm-debug-agent de AMD, o quítelo",
    "--sim-devices, --vram, --strict, --footprints and --abort-on-fault are for the simulated device; add --device sim": "--sim-devices, --vram, --strict, --footprints y --abort-on-fault son del dispositivo simulado; añada --device sim",
    "--devices: {} names a device twice, or none": "--devices: {} nombra un dispositivo dos veces, o ninguno",
    "--devices: there is no device {}; the last is {}": "--devices: no hay dispositivo {}; el último es el {}",
    "--devices all: there is no device": "--devices all: no hay ningún dispositivo",
    "--devices must be all, or ordinals such as 0-3,5, not {}": "--devices debe ser all, o números como 0-3,5, no {}",
    "{} must be auto, hip or sim, not {}": "{} debe ser auto, hip o sim, no {}",
    "{} is an audit; name one of its runs{}, or use `greta report {}`": "{} es una auditoría; indique una de sus ejecuciones{}, o use `greta report {}`",
    "{}: the field command has no text in it": "{}: el campo command no tiene texto",
    "--out: {} is not empty; name a new folder, or remove it first": "--out: {} no está vacía; indique una carpeta nueva, o bórrela antes",
    "--out: {} is not a folder; name a new folder": "--out: {} no es una carpeta; indique una carpeta nueva",
    "the facts of the run cannot be read: {}": "no se pueden leer los datos de la ejecución: {}",
    "cannot make the run folder {}: {}; name another with --out DIR": "no se puede crear la carpeta {}: {}; indique otra con --out DIR",
    "cannot write into the run folder {}: {}; name another with --out DIR": "no se puede escribir en la carpeta {}: {}; indique otra con --out DIR",
    "nothing was given to analyze; {}": "no se ha dado nada que analizar; {}",
    "{} and {} are two runs; give one of them": "{} y {} son dos ejecuciones; dé una de ellas",
    "{} tells which blocks an allocator gave out; {}": "{} dice qué bloques repartió un asignador; {}",
    "{} tells of blocks in {}; give that of one process": "{} habla de bloques de {}; dé el de un solo proceso",
    "{} is neither a run nor a recording, and has no log; {}": "{} no es una ejecución ni una grabación, y no tiene registros; {}",
    "{} has {} files; give the logs of one run by name": "{} tiene {} archivos; dé por su nombre los registros de una ejecución",
    "{} does not exist; {}": "{} no existe; {}",
    "clang {} or newer is needed, with lld and clang-offload-bundler{}; on Debian and Ubuntu: apt install clang-19 lld-19 clang-tools-19 rocm-device-libs": "hace falta clang {} o posterior, con lld y clang-offload-bundler{}; en Debian y Ubuntu: apt install clang-19 lld-19 clang-tools-19 rocm-device-libs",
    "HIP_CLANG_PATH: there is no clang in {}": "HIP_CLANG_PATH: no hay clang en {}",
    "there is no run in {}/; name a run folder or a log, or record one with `greta run -- COMMAND`": "no hay ninguna ejecución en {}/; indique una carpeta o un registro, o grabe una con `greta run -- COMMAND`",
    "{} cannot be listed: {}": "{} no se puede listar: {}",
    "{} cannot be removed: {}": "{} no se puede borrar: {}",
    "{} is not a run folder: it has no run.json": "{} no es la carpeta de una ejecución: no tiene run.json",
    "the run in {} has no fault to look for: it ended with 0 and the device reported no error{}": "la ejecución de {} no tiene fallo que buscar: acabó con 0 y el dispositivo no comunicó ningún error{}",
    "the folder that the run was started in, {}, is gone": "la carpeta en que empezó la ejecución, {}, ya no existe",
    "{}/run.json cannot be read: it does not say {}": "{}/run.json no se puede leer: no dice {}",
    "{}; there is no operation that could be pinned": "{}; no hay operación que se pueda señalar",
    "the working folder has been removed; change to another": "la carpeta de trabajo ha sido borrada; cambie a otra",
    "{} cannot be preloaded, since its path has a space or a colon, and there is no place for a link; set TMPDIR to a folder that can be written and has no such name": "{} no se puede precargar, porque su ruta tiene un espacio o dos puntos, y no hay sitio para un enlace; ponga en TMPDIR una carpeta donde se pueda escribir y sin esos signos",
    "--watch-host needs {}, which is not there; run `pip install .` in the source folder": "--watch-host necesita {}, que no está; ejecute `pip install .` en la carpeta del código",
}
PARTS: Final = {
    # What argparse fills in, and the system.
    "the following arguments are required: {}": "faltan argumentos: {}",
    "argument {}: expected one argument": "{}: falta su valor",
    "argument {}: expected at least one argument": "{}: falta al menos un valor",
    "argument {}: invalid choice: {} (choose from {})": "{}: {} no vale; elija entre {}",
    "argument {}: must be {}, not {}": "{}: debe ser {}, no {}",
    "No such file or directory": "no existe el archivo o la carpeta",
    "Permission denied": "permiso denegado",
    "Not a directory": "no es una carpeta",
    "Is a directory": "es una carpeta",
    "No space left on device": "no queda espacio en el disco",
    "Read-only file system": "el sistema de archivos es de solo lectura",
    "File name too long": "el nombre es demasiado largo",
    "a FIFO": "un FIFO",
    "a folder": "una carpeta",
    "a socket": "un socket",
    "a device": "un dispositivo",
    "give a run folder, a recording, a log, or a folder of logs": "dé la carpeta de una ejecución, una grabación, un registro, o una carpeta de registros",
    "did you mean `{}`?": "¿quería decir `{}`?",
    "there are: {}": "existen: {}",
    "add {}": "añada {}",
}


_LONGEST: Final = 1000


def in_spanish(text: str) -> str:
    """A whole error, or a part of one; what has no translation stays as it is."""
    if len(text) > _LONGEST:  # a name that was made to be slow
        return text
    for pattern, spanish in _patterns():
        if found := pattern.fullmatch(text):
            return spanish.format(*map(in_spanish, found.groups()))
    return text


@cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    """Those with the most words of their own first."""
    words = sorted((ERRORS | PARTS).items(), key=lambda one: -len(one[0].replace("{}", "")))
    parts = ((english.split("{}"), spanish) for english, spanish in words)
    return [(re.compile("(.*?)".join(map(re.escape, one)), re.DOTALL), two) for one, two in parts]
