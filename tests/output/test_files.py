"""Files that appear whole; a full disk that is told with the file."""

import errno

import pytest

from grader.output.files import naming, replacing


def no_room(*_):
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("only_writer", [True, False])
def test_a_file_appears_whole_or_stays_as_it_was(tmp_path, only_writer):
    path = tmp_path / "a.txt"
    with replacing(path, only_writer=only_writer) as file:
        file.write("ä")
        assert not path.exists()
    assert path.read_text(encoding="utf-8") == "ä"

    def stop(file):
        file.write("half")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), replacing(path, only_writer=only_writer) as file:
        stop(file)
    assert path.read_text(encoding="utf-8") == "ä"
    assert [one.name for one in tmp_path.iterdir()] == ["a.txt"]


def test_a_full_disk_names_the_file(tmp_path):
    with pytest.raises(OSError, match="No space left") as raised, replacing(tmp_path / "a.bin", "wb", sync=True):
        no_room()
    assert raised.value.filename == str(tmp_path / "a.bin")
    assert list(tmp_path.iterdir()) == []


def test_other_errors_stay_as_they_are(tmp_path):
    with pytest.raises(OSError, match="refused") as raised, naming(tmp_path / "a"):
        raise ConnectionRefusedError(errno.ECONNREFUSED, "refused")
    assert raised.value.filename is None
    with pytest.raises(FileNotFoundError) as missing, naming(tmp_path / "a"):
        (tmp_path / "b").read_text()
    assert missing.value.filename == str(tmp_path / "b")
