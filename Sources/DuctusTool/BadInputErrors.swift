import InkCore
import InkDatasets
import InkFormats
import ModelFormat
import Networks
import Recognition
import Training

// Errors of the libraries that mean the caller gave something wrong: exit code 2.

extension InkError: BadInputError {}
extension ModelFormatError: BadInputError {}
extension ModelError: BadInputError {}
extension SafeTensorsError: BadInputError {}
