module faultline_frame

go 1.18
