"""Members of a zip archive, Zstandard among them: Python reads that method from 3.14 on only."""

from __future__ import annotations

import struct
import zipfile
import zlib

LARGEST_MEMBER = 256 * 1024 * 1024
ZSTANDARD = 93
_LOCAL = struct.Struct("<4s22xHH")


class MemberError(Exception):
    """A member of the archive is damaged, too large or packed in an unknown way."""


def member(archive: zipfile.ZipFile, name: str) -> bytes:
    """The unpacked bytes of a member. Raises `MemberError`."""
    info = archive.getinfo(name)
    if info.file_size > LARGEST_MEMBER:
        raise MemberError(f"it is larger than {LARGEST_MEMBER // (1024 * 1024)} MiB unpacked")
    try:
        if info.compress_type != ZSTANDARD:
            return archive.read(info)
        return _unpacked(_raw(archive, info), info)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, zlib.error, EOFError) as broken:
        raise MemberError("it is damaged, or packed in an unknown way") from broken


def _raw(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """The packed bytes, which stand behind the member's own header."""
    stream = archive.fp
    if stream is None:
        raise MemberError("the archive is closed")
    stream.seek(info.header_offset)
    head = stream.read(_LOCAL.size)
    if len(head) < _LOCAL.size or not head.startswith(b"PK\x03\x04"):
        raise MemberError("its header is damaged")
    _, name_length, extra_length = _LOCAL.unpack(head)
    stream.seek(name_length + extra_length, 1)
    return stream.read(info.compress_size)


def _unpacked(packed: bytes, info: zipfile.ZipInfo) -> bytes:
    import zstandard

    try:
        with zstandard.ZstdDecompressor().stream_reader(packed) as stream:
            data = stream.read(LARGEST_MEMBER + 1)
    except zstandard.ZstdError as broken:
        raise MemberError("its Zstandard data is damaged") from broken
    if len(data) != info.file_size or zlib.crc32(data) != info.CRC:
        raise MemberError("its size or checksum is wrong")
    return data
