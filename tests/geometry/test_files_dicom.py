"""DICOM series, files of many frames and segmentations, written here with pydicom."""

import sys

import numpy as np
import pytest

import pliant as pl
from pliant.cli.main import main

pydicom = pytest.importorskip("pydicom")
from pydicom.dataset import Dataset, FileMetaDataset  # noqa: E402
from pydicom.sequence import Sequence  # noqa: E402
from pydicom.uid import ExplicitVRLittleEndian, JPEGLSLossless, generate_uid  # noqa: E402

CT, ENHANCED_CT = "1.2.840.10008.5.1.4.1.1.2", "1.2.840.10008.5.1.4.1.1.2.1"
SEG = "1.2.840.10008.5.1.4.1.1.66.4"
ROW, COLUMN = np.array([0.8, 0.6, 0.0]), np.array([0.0, 0.0, -1.0])  # a coronal stack, turned
ALONG = np.cross(ROW, COLUMN)
ORIGIN, STEPS, GAP = np.array([-20.0, 35.0, 110.0]), (0.7, 0.5), 2.5  # [mm] between rows, between columns; of slices


def numbers(shape: tuple[int, ...]) -> np.ndarray:
    return np.random.default_rng(4).integers(0, 3000, shape).astype(np.uint16)


def header(kind: str, series: str, name: str) -> Dataset:
    data = Dataset()
    data.file_meta = FileMetaDataset()
    data.file_meta.TransferSyntaxUID = ExplicitVRLittleEndian
    data.file_meta.MediaStorageSOPClassUID = data.SOPClassUID = kind
    data.file_meta.MediaStorageSOPInstanceUID = data.SOPInstanceUID = generate_uid()
    data.SeriesInstanceUID, data.SeriesDescription, data.Modality = series, name, "CT"
    data.SamplesPerPixel, data.PhotometricInterpretation = 1, "MONOCHROME2"
    data.BitsAllocated, data.BitsStored, data.HighBit, data.PixelRepresentation = 16, 16, 15, 0
    return data


def pictured(data: Dataset, values: np.ndarray) -> Dataset:
    data.Rows, data.Columns = values.shape[-2:]
    data.PixelData = values.tobytes()
    return data


def place(i: float) -> list[float]:
    return [float(v) for v in (ORIGIN + GAP * i * ALONG).round(6)]


def slice_of(series: str, i: float, values: np.ndarray, name: str = "liver") -> Dataset:
    data = pictured(header(CT, series, name), values)
    data.ImagePositionPatient, data.ImageOrientationPatient = place(i), [*ROW.tolist(), *COLUMN.tolist()]
    data.PixelSpacing, data.SliceThickness = list(STEPS), 1.0  # the thickness is not the distance
    return data


@pytest.fixture
def series(tmp_path):
    """Five slices in a shuffled order of names, without endings, rescaled to Hounsfield's units."""
    values, uid = numbers((5, 4, 6)), generate_uid()
    for i, name in zip(range(5), "dbeac"):
        data = slice_of(uid, i, values[i])
        data.RescaleSlope, data.RescaleIntercept = 1, -1024
        data.save_as(tmp_path / f"IM{name}", enforce_file_format=True)
    (tmp_path / "README.txt").write_text("of the disc")
    return tmp_path, values


def where(index) -> np.ndarray:
    """Where a sample (column, row, slice) is, [m] in right, anterior, superior."""
    i, j, k = index
    return (ORIGIN + i * STEPS[1] * ROW + j * STEPS[0] * COLUMN + k * GAP * ALONG) * [-1e-3, -1e-3, 1e-3]


def test_a_series_by_its_folder_and_by_one_file(series):
    folder, values = series
    for path in (folder, folder / "IMa"):
        volume = pl.read(path)
        assert volume.values.shape == (6, 4, 5) and volume.values.dtype == np.int16
        assert np.array_equal(volume.values, values.transpose(2, 1, 0).astype(int) - 1024)
        assert volume.spacing == pytest.approx([5e-4, 7e-4, 2.5e-3])
        for index in ((0, 0, 0), (5, 3, 4), (2, 1, 3)):
            assert volume.affine[:3] @ [*index, 1] == pytest.approx(where(index), abs=1e-9)
        assert np.linalg.det(volume.axes) == pytest.approx(1.0)


def test_slopes_that_differ_and_a_tilted_gantry(tmp_path):
    uid, values = generate_uid(), numbers((3, 4, 6))
    lean = np.array([0.1, 0.2, 0.05])
    for i in range(3):
        data = slice_of(uid, i, values[i])
        data.RescaleSlope, data.RescaleIntercept = f"{0.5 + 0.25 * i}", "2"
        data.ImagePositionPatient = [float(v) for v in (np.array(place(i)) + i * lean).round(6)]
        data.save_as(tmp_path / f"{i}.dcm", enforce_file_format=True)
    volume = pl.read(tmp_path / "2.dcm")
    assert volume.values.dtype == np.float32
    for k, slope in enumerate((0.5, 0.75, 1.0)):
        assert volume.values[..., k] == pytest.approx(values[k].T * slope + 2)
    assert volume.affine[:3] @ [1, 2, 2, 1] == pytest.approx(where((1, 2, 2)) + 2e-3 * lean * [-1, -1, 1], abs=1e-9)


def test_what_is_no_stack_is_refused(series, tmp_path):
    folder, values = series
    uid = pydicom.dcmread(folder / "IMa").SeriesInstanceUID
    cases = {
        "is 7.5 mm from the next slice, .*even distances": slice_of(uid, 7, values[0]),
        "expected one slice at each place": slice_of(uid, 2, values[0]),
        "expected slices of one size": slice_of(uid, 5, numbers((3, 6))),
        "not parallel": slice_of(uid, 5, values[0]),
        "does not say its PixelSpacing": slice_of(uid, 5, values[0]),
    }
    cases["not parallel"].ImageOrientationPatient = [1, 0, 0, 0, 1, 0]
    del cases["does not say its PixelSpacing"].PixelSpacing
    for words, data in cases.items():
        data.save_as(folder / "IMz", enforce_file_format=True)
        with pytest.raises(pl.errors.InputError, match=words):
            pl.read(folder)
    (folder / "IMz").unlink()
    slice_of(generate_uid(), 0, values[0], "a scout").save_as(folder / "scout.dcm", enforce_file_format=True)
    with pytest.raises(pl.errors.InputError, match=r"2 series: 'liver' \(5 files, such as IMa\), 'a scout' \(1 files"):
        pl.read(folder)
    assert pl.read(folder / "IMc").values.shape == (6, 4, 5)
    with pytest.raises(pl.errors.InputError, match="is the only slice of the series 'a scout'"):
        pl.read(folder / "scout.dcm")


def test_packed_pixels_and_other_files_say_what_to_do(series, tmp_path, monkeypatch):
    folder, values = series
    data = slice_of(generate_uid(), 0, values[0])
    data.file_meta.TransferSyntaxUID = JPEGLSLossless
    data.PixelData = pydicom.encaps.encapsulate([b"\xff\xd8\xff\xf7" + bytes(60)])
    data.save_as(folder / "packed.dcm", enforce_file_format=True)
    with pytest.raises(pl.errors.InputError, match=r"packed .JPEG-LS.*pip install 'pylibjpeg"):
        pl.read(folder / "packed.dcm")
    odd = (folder / "packed.dcm").read_bytes().replace(b"1.2.840.10008.1.2.4.80", b"1.2.840.10008.1.2.4.00")
    (folder / "odd.dcm").write_bytes(odd)
    with pytest.raises(pl.errors.InputError, match="its pixels cannot be read"):
        pl.read(folder / "odd.dcm")
    (folder / "odd.dcm").unlink()
    (tmp_path / "empty").mkdir()
    with monkeypatch.context() as patched:
        patched.setitem(sys.modules, "pydicom", None)
        for path in (folder, folder / "IMa"):
            with pytest.raises(pl.errors.InputError, match=r"pip install 'pliant\[dicom\]'"):
                pl.read(path)
    with pytest.raises(pl.errors.InputError, match="is a folder without DICOM pictures"):
        pl.read(tmp_path / "empty")
    (tmp_path / "no.dcm").write_bytes(b"x" * 400)
    with pytest.raises(pl.errors.InputError, match="is no DICOM file"):
        pl.read(tmp_path / "no.dcm")
    whole = (folder / "IMa").read_bytes()
    for length in (132, 200, 400, len(whole) - 7):
        (tmp_path / "cut.dcm").write_bytes(whole[:length])
        with pytest.raises(pl.errors.InputError):
            pl.read(tmp_path / "cut.dcm")


def frames(kind: str, values: np.ndarray, rows: list[float], segments: list[int] | None = None) -> Dataset:
    data = pictured(header(kind, generate_uid(), "frames"), values)
    data.NumberOfFrames = len(values)
    shared, turn, measures = Dataset(), Dataset(), Dataset()
    turn.ImageOrientationPatient = [*ROW.tolist(), *COLUMN.tolist()]
    measures.PixelSpacing, measures.SliceThickness = list(STEPS), GAP
    shared.PlaneOrientationSequence, shared.PixelMeasuresSequence = Sequence([turn]), Sequence([measures])
    data.SharedFunctionalGroupsSequence, each = Sequence([shared]), []
    for i, row in enumerate(rows):
        own, at = Dataset(), Dataset()
        at.ImagePositionPatient = place(row)
        own.PlanePositionSequence = Sequence([at])
        if segments is not None:
            which = Dataset()
            which.ReferencedSegmentNumber = segments[i]
            own.SegmentIdentificationSequence = Sequence([which])
        each.append(own)
    data.PerFrameFunctionalGroupsSequence = Sequence(each)
    return data


def test_a_file_of_many_frames(tmp_path):
    values = numbers((3, 4, 6))
    frames(ENHANCED_CT, values, [2, 0, 1]).save_as(tmp_path / "all.dcm", enforce_file_format=True)
    volume = pl.read(tmp_path / "all.dcm")
    assert np.array_equal(volume.values, values[[1, 2, 0]].transpose(2, 1, 0))
    assert volume.affine[:3] @ [5, 1, 2, 1] == pytest.approx(where((5, 1, 2)), abs=1e-9)


def test_a_segmentation_becomes_labels(tmp_path, capsys):
    """Two segments, of one bit a pixel, with frames only where there is something of them: none at the slice 2."""
    masks = np.zeros((4, 8, 8), np.uint8)
    masks[0, 1:5, 1:6], masks[1, 1:5, 1:6], masks[2, 2:4, 6:8], masks[3, 6:8, 2:4] = 1, 1, 1, 1
    data = frames(SEG, masks, [0, 1, 1, 3], [1, 1, 2, 2])
    data.BitsAllocated, data.BitsStored, data.HighBit = 1, 1, 0
    data.PixelData = np.packbits(masks.ravel(), bitorder="little").tobytes()
    data.save_as(tmp_path / "organs.dcm", enforce_file_format=True)
    volume = pl.read(tmp_path / "organs.dcm")
    assert volume.labels() == {0: 8 * 8 * 4 - 48, 1: 40, 2: 8} and not volume.values[..., 2].any()
    assert np.array_equal(volume.values[..., 3] == 2, masks[3].T == 1)
    assert main(["inspect", str(tmp_path / "organs.dcm"), "--label", "organ=1"]) == 0
    assert "organ" in capsys.readouterr().out


def test_from_the_shell_by_its_folder(series, tmp_path, capsys):
    folder, _ = series
    assert main(["inspect", str(folder)]) == 0 and "6 × 4 × 5 voxels of type int16" in capsys.readouterr().out
    assert main(["mesh", str(folder), str(tmp_path / "out.nrrd")]) == 0
    assert np.array_equal(pl.read(tmp_path / "out.nrrd").values, pl.read(folder).values)
    assert main(["inspect", str(folder), "--labels", "9999"]) == 2
